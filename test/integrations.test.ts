import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { COMMANDS } from '../src/cli/registry.ts';
import { runCommand } from './support/run-command.ts';

const ROOT = join(import.meta.dirname, '..');
const PLUGIN = join(ROOT, 'integrations', 'claude-code');
const SKILL = join(PLUGIN, 'skills', 'using-volley', 'SKILL.md');

async function readJson<T>(schema: z.ZodType<T>, ...path: readonly string[]): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(...path), 'utf8')));
}

/** The calls of volley in a Markdown text, each as its words; quotes hold words together, and comments are left out. */
function callsIn(markdown: string): readonly (readonly string[])[] {
  const lines = [...markdown.matchAll(/^volley .*$/gm), ...markdown.matchAll(/`(volley [^`]+)`/g)].map((match) => match[1] ?? match[0]);
  return lines.map((line) => [...line.replace(/\s+#.*$/, '').matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1));
}

describe('what agents are told', () => {
  test('volley skill prints the words of the plugin’s skill, and they are short', async () => {
    const written = await readFile(SKILL, 'utf8');
    const skill = async (...args: readonly string[]): Promise<string> =>
      (await runCommand(process.execPath, [join(ROOT, 'bin', 'volley.js'), 'skill', ...args], { cwd: ROOT })).stdout;
    const [printed, object] = await Promise.all([skill(), skill('--json')]);
    assert.match(written, /^---\nname: using-volley\ndescription: .+\n---\n\n# Volley, for coding agents\n/);
    assert.equal(printed, written.slice(written.indexOf('# Volley')));
    assert.deepEqual(JSON.parse(object), { type: 'skill', v: 1, text: printed.trim() });
    assert.ok(printed.split('\n').length < 70);
  });

  for (const [name, path] of [
    ['the skill', SKILL],
    ['the slash command', join(PLUGIN, 'commands', 'review.md')],
    ['the guide', join(ROOT, 'docs', 'agents-as-users.md')],
  ] as const) {
    test(`every command that ${name} names exists, with its options`, async () => {
      const calls = callsIn(await readFile(path, 'utf8'));
      assert.ok(calls.length > 2);
      for (const [verb = '', ...rest] of calls) {
        const entry = COMMANDS[verb];
        assert.ok(entry !== undefined, `there is no volley ${verb}`);
        const { command } = await entry.load();
        const options = { ...command.options, json: { type: 'boolean' } } as const;
        assert.doesNotThrow(() => parseArgs({ args: [...rest], options, allowPositionals: true }), `volley ${[verb, ...rest].join(' ')}`);
      }
    });
  }

  test('the plugin has the version of the package, and calls hooks that there are', async () => {
    const Versioned = z.object({ name: z.literal('volley'), version: z.string() });
    const [plugin, itself] = await Promise.all([
      readJson(Versioned, PLUGIN, '.claude-plugin', 'plugin.json'),
      readJson(Versioned, ROOT, 'package.json'),
    ]);
    assert.equal(plugin.version, itself.version);
    const Hooks = z.object({
      hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.object({ type: z.literal('command'), command: z.string() })) }))),
    });
    const { hooks } = await readJson(Hooks, PLUGIN, 'hooks', 'hooks.json');
    const calls = Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.flatMap((group) => group.hooks.map(({ command }) => command)),
    ]);
    const script = '"${CLAUDE_PLUGIN_ROOT}/hooks/volley-hook.sh"';
    assert.deepEqual(calls, [
      ['SessionStart', [`sh ${script} session-start`]],
      ['Stop', [`sh ${script} stop`]],
    ]);
    assert.ok(existsSync(join(PLUGIN, 'hooks', 'volley-hook.sh')));
  });

  test('without a volley in PATH the hook says so and keeps nobody', async () => {
    const hook = async (verb: string): Promise<string> => {
      const { exitCode, stdout } = await runCommand('/bin/sh', [join(PLUGIN, 'hooks', 'volley-hook.sh'), verb], {
        cwd: ROOT,
        env: { PATH: '/nowhere' },
      });
      assert.equal(exitCode, 0);
      return stdout;
    };
    assert.deepEqual(Object.keys(z.record(z.string(), z.string()).parse(JSON.parse(await hook('stop')))), ['systemMessage']);
    assert.equal(await hook('session-start'), '');
  });
});
