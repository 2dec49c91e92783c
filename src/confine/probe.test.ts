import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import { chooseConfinement } from './index.ts';
import { adviceFor } from './probe-advice.ts';
import { probe } from './probe.ts';
import { requireBubblewrap } from './trial.ts';

const program = await requireBubblewrap();
const NOBODY = 65_534;

/** Prints what the probe finds, for a process of its own. */
const SCRIPT = `const { probe } = await import(${JSON.stringify(new URL('probe.ts', import.meta.url).href)}); console.log(JSON.stringify(await probe(process.argv[1])));`;

describe('the probe', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'volley-probe-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const stateDir = (): string => join(folder, nonce());
  /** A bwrap that says something and fails, or does what a shell script does. */
  const fakeBwrap = (script: string): { readonly PATH: string; readonly file: string } => {
    const bin = join(folder, `bin-${nonce()}`);
    mkdirSync(bin);
    const file = join(bin, 'bwrap');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return { PATH: `${bin}:${process.env['PATH'] ?? ''}`, file };
  };
  const inProcess = async (argv: readonly string[], state: string): Promise<unknown> => {
    const end = await runProcess({
      argv: [...argv, process.execPath, '--input-type=module', '-e', SCRIPT, state],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', HOME: state },
      wallMs: 60_000,
      marker: `trial-${nonce()}`,
    });
    return JSON.parse(end.output);
  };

  it('finds that bubblewrap holds here, and leaves nothing behind but its answer', async () => {
    const state = stateDir();
    assert.deepEqual(await probe(state), { level: 'os', program });
    assert.deepEqual(readdirSync(state), ['sandbox.json']);
    assert.equal(statSync(join(state, 'sandbox.json')).mode & 0o777, 0o600);
  });

  it('holds for a user without any rights too', { skip: obstacleForNobody() }, async () => {
    const state = stateDir();
    mkdirSync(state);
    chownSync(state, NOBODY, NOBODY);
    chmodSync(folder, 0o755);
    const argv = ['setpriv', '--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
    assert.deepEqual(await inProcess(argv, state), { level: 'os', program });
  });

  it('says why where the kernel allows no namespaces, and what to do', async () => {
    const argv = [program, '--dev-bind', '/', '/', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'];
    const found = JSON.stringify(await inProcess(argv, stateDir()));
    assert.match(
      found,
      /"level":"copy".*(does not allow another sandbox|does not let you make user namespaces).*Creating new namespace failed/,
    );
  });

  it('takes a known answer from its file, until bubblewrap changes', async () => {
    const state = stateDir();
    const log = join(folder, `log-${nonce()}`);
    const { PATH, file } = fakeBwrap(`echo ran >> ${log}\nexec ${program} "$@"`);
    const runs = (): number => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
    for (let start = 0; start < 3; start += 1) assert.equal((await probe(state, { user: { PATH } })).level, 'os');
    assert.equal(runs(), 1);
    utimesSync(file, 1, 1);
    await probe(state, { user: { PATH } });
    assert.equal(runs(), 2);
    writeFileSync(join(state, 'sandbox.json'), '{ not ours');
    await probe(state, { user: { PATH } });
    assert.equal(runs(), 3);
  });

  it('believes an old failure no longer, and one of the future never', async () => {
    const state = stateDir();
    const { PATH } = fakeBwrap('echo "bwrap: something odd" >&2; exit 1');
    assert.equal((await probe(state, { user: { PATH } })).level, 'copy');
    const file = join(state, 'sandbox.json');
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'));
    assert.ok(typeof known === 'object' && known !== null);
    const mark = { why: 'remembered', remedy: 'none' };
    const remembered = async (at: number): Promise<boolean> => {
      writeFileSync(file, JSON.stringify({ ...known, at, problem: mark }));
      return JSON.stringify(await probe(state, { user: { PATH } })).includes('remembered');
    };
    assert.equal(await remembered(Date.now()), true);
    assert.equal(await remembered(Date.now() - 3_600_000), false);
    assert.equal(await remembered(Date.now() + 3_600_000), false);
  });

  it('does not believe a sandbox that holds nothing', async () => {
    const nothing =
      'while [ "$1" != -- ]; do shift; done; shift; while [ "$1" != -- ]; do shift; done; shift; HTTP_PROXY=http://127.0.0.1:1 exec "$@"';
    const { PATH } = fakeBwrap(nothing);
    const found = await probe(stateDir(), { user: { PATH } });
    assert.ok(found.level === 'copy');
    assert.match(found.why, /a program could read a file outside/);
  });

  it('a machine without bubblewrap is told how to get it, and one that is no Linux that there is none', async () => {
    const none = await probe(stateDir(), { user: { PATH: folder } });
    assert.ok(none.level === 'copy');
    assert.match(`${none.why} ${none.remedy}`, /not installed.*apt install bubblewrap.*dnf install bubblewrap.*pacman -S bubblewrap/);
    const mac = await probe(stateDir(), { platform: 'darwin' });
    assert.match(JSON.stringify(mac), /"level":"copy".*no sandbox for macOS yet/);
    assert.match(JSON.stringify(await probe(stateDir(), { platform: 'win32' })), /WSL 2/);
  });

  it('the advice fits what bubblewrap said', () => {
    const plain = { apparmor: false, container: false };
    const uidMap = 'bwrap: setting up uid map: Permission denied\n';
    assert.match(JSON.stringify(adviceFor(uidMap, { ...plain, apparmor: true })), /AppArmor.*bwrap-userns-restrict/);
    assert.match(
      JSON.stringify(adviceFor('bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', { ...plain, apparmor: true })),
      /AppArmor/,
    );
    assert.match(
      JSON.stringify(adviceFor("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", { ...plain, container: true })),
      /container.*systempaths/,
    );
    assert.match(
      JSON.stringify(adviceFor('bwrap: No permissions to create new namespace, likely because', plain)),
      /user namespaces.*sysctl/,
    );
    assert.match(JSON.stringify(adviceFor('bwrap: Unknown option --x', plain)), /does not work here \(bwrap: Unknown option --x\)/);
  });
});

describe('the choice', () => {
  it('is the strictest level that holds, and what was asked for if that is less', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'volley-choice-'));
    try {
      const os = await chooseConfinement({ stateDir: folder, most: 'os' });
      assert.deepEqual([os.confinement.level, os.why, os.remedy], ['os', null, null]);
      const copy = await chooseConfinement({ stateDir: folder, most: 'copy' });
      assert.deepEqual([copy.confinement.level, copy.why, copy.remedy], ['copy', null, null]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Somebody without rights can start our files only where every folder above them is open. */
function obstacleForNobody(): string | false {
  if (process.getuid?.() !== 0) return 'everything here runs as a user without rights';
  for (const file of [process.execPath, fileURLToPath(import.meta.url)]) {
    for (let above = dirname(file); above !== '/'; above = dirname(above))
      if ((statSync(above).mode & 0o005) !== 0o005) return `${above} is closed to others`;
  }
  return false;
}
