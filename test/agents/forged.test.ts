import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import type { Driver } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import { codex } from '../../src/agents/codex.ts';
import { plainAgent } from '../../src/core/settings.ts';
import type { Role } from '../../src/core/settings.ts';
import { startModelServer } from '../support/model-server.ts';
import { endedOf, makeRoom, playHeld, programOf } from './support.ts';

/** A driver, how its sessions are started, and by which of their arguments their processes are known. */
type Kind = {
  readonly driver: Driver;
  readonly program: 'VOLLEY_CLAUDE' | 'VOLLEY_CODEX';
  readonly model: string;
  readonly argument: string;
  variables(url: string): Record<string, string>;
};

const KEY = 'sk-ant-api03-of-a-test';
// Whether there is a key for Claude Code is looked up where Volley itself runs.
process.env['ANTHROPIC_API_KEY'] = KEY;

const KINDS: readonly Kind[] = [
  {
    driver: claude,
    program: 'VOLLEY_CLAUDE',
    model: 'claude-sonnet-4-5',
    argument: 'stream-json',
    variables: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  },
  {
    driver: codex,
    program: 'VOLLEY_CODEX',
    model: 'gpt-5.5',
    argument: '--json',
    variables: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  },
];

/** Code under review that tries to get into every process that it sees: whoever writes its memory or its output speaks in its name. */
const ATTACK = `
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
const ways = {
  memory: (folder) => closeSync(openSync(folder + '/mem', 'r+')),
  variables: (folder) => closeSync(openSync(folder + '/environ', 'r')),
  output: (folder) => readlinkSync(folder + '/fd/1'),
};
const works = (way, folder) => {
  try { way(folder); return true; } catch { return false; }
};
const attack = (pid) => {
  try {
    const arguments_ = readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\\0');
    const open = Object.keys(ways).filter((name) => works(ways[name], '/proc/' + pid));
    return [{ arguments: arguments_, open }];
  } catch { return []; }
};
console.log('attack: ' + JSON.stringify(readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).flatMap(attack)));
`;

const Attack = z.array(z.object({ arguments: z.array(z.string()), open: z.array(z.string()) }));
type Attack = z.infer<typeof Attack>;

/** Runs a command by the shell tool of a real session that the operating system holds, and gives what the model was told of it. */
async function runTool(kind: Kind, role: Role, command: (places: { own: string; scratch: string }) => string): Promise<string> {
  await using room = await makeRoom({ 'attack.mjs': ATTACK });
  const server = await startModelServer({ script: { rules: [] } });
  try {
    const env = kind.variables(server.url);
    const names = { name: kind.driver.id, driver: kind.driver.id, model: kind.model, env: Object.keys(env) };
    const spec = plainAgent({ ...names, hosts: [new URL(server.url).host], run: [programOf(kind.program)] });
    const input = await room.session({ role, prompt: 'Do the work.', env });
    const scratch = join(dirname(input.resultFile), 'scratch');
    await mkdir(scratch);
    const shell = command({ own: join(dirname(input.resultFile), kind.driver.id), scratch });
    server.setScript({ rules: [{ name: 'work', steps: [{ shell }, { text: 'done' }] }] });
    const events = await playHeld(kind.driver.create(spec, { homes: room.homes }), room, { ...input, scratch });
    assert.equal(endedOf(events).output, 'done');
    return server.records.at(-1)?.lastTool ?? '';
  } finally {
    await server.close();
  }
}

/** What the attack got of the session's own processes: the agent's, and the gateway's, which carries the agent's arguments too. */
async function attackSession(kind: Kind, role: Role): Promise<Attack> {
  const told = await runTool(kind, role, () => `'${process.execPath}' attack.mjs`);
  const said = /attack: (.*)/.exec(told)?.[1];
  assert.ok(said !== undefined, told);
  return Attack.parse(JSON.parse(said)).filter((one) => one.arguments.includes(kind.argument));
}

/** Whether the kernel itself forbids to write into the memory of a process that is no child. */
function hasYama(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() !== '0';
  } catch {
    return false;
  }
}

for (const kind of KINDS) {
  describe(`code under review that a real ${kind.driver.id} runs`, () => {
    for (const role of ['reviewer', 'arbiter'] as const) {
      test(`cannot get into the session of the ${role}, and so cannot speak for it`, async () => {
        const processes = await attackSession(kind, role);
        assert.deepEqual(
          processes.filter(({ open }) => open.length > 0),
          [],
        );
      });
    }

    test('could get into it if it were not kept apart, as with an author, whose word is no verdict', async () => {
      const processes = await attackSession(kind, 'author');
      const gateway = processes.filter((one) => one.arguments.some((argument) => /gateway\.[jt]s$/.test(argument)));
      assert.ok(gateway.length > 0 && processes.length > gateway.length, 'the gateway and the agent are seen');
      const ways = hasYama() ? ['variables', 'output'] : ['memory', 'variables', 'output'];
      for (const { open } of processes) for (const way of ways) assert.ok(open.includes(way), `${way} is closed`);
    });

    test('writes where it may, and nothing that the agent obeys', async () => {
      const told = await runTool(kind, 'reviewer', ({ own, scratch }) =>
        [
          `cd '${scratch}' && git init --quiet && touch file "$HOME/file" "$TMPDIR/file" /var/tmp/file && git add file && git status --short`,
          `'${process.execPath}' -p '"sum " + (1 + 1)'`,
          `cd '${own}' && for name in $(find . -type d ! -path './tmp*'); do touch "$name/planted" && echo "planted: $name"; done`,
          `for name in $(find . -type f ! -path './tmp*'); do { echo >> "$name"; } && echo "changed: $name"; done`,
          `mv '${own}' '${own}-moved' && echo moved`,
          'echo end',
        ].join('\n'),
      );
      assert.match(told, /^A {2}file$/m);
      assert.match(told, /^sum 2$/m);
      assert.match(told, /planted'?: Read-only file system/);
      assert.match(told, /(shell|installation_id): Read-only file system/);
      assert.doesNotMatch(told, /^(planted|changed|moved)/m);
      assert.match(told, /^end$/m);
    });
  });
}
