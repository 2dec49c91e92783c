import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findExecutable } from '../lib/executable.ts';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import { openTrial, requireBubblewrap } from './trial.ts';
import type { Given, Trial } from './trial.ts';

const program = await requireBubblewrap();
const python = await findExecutable('python3', process.env['PATH'] ?? '');
const cargo = await findExecutable('cargo', process.env['PATH'] ?? '');

describe('ordinary projects inside of a sandbox', () => {
  let trial: Trial;
  before(() => {
    trial = openTrial();
  });
  after(() => trial.close());

  const shell = async (line: string, given: Given = {}): Promise<string> => {
    const end = await trial.run(bubblewrapConfinement({ program, stateDir: trial.stateDir }), ['/bin/sh', '-c', line], given);
    assert.ok(end.kind === 'exited' && end.code === 0, `${end.kind}: ${end.output}`);
    return end.output;
  };
  const outside = async (dir: string, ...argv: readonly string[]): Promise<void> => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: trial.userHome, GIT_CONFIG_NOSYSTEM: '1' };
    const end = await runProcess({ argv, cwd: dir, env, wallMs: 60_000, marker: `trial-${nonce()}` });
    assert.ok(end.kind === 'exited' && end.code === 0, end.output);
  };

  it('the tests of a Node project run with npm, without a network', async () => {
    const manifest = { name: 'greeting', type: 'module', scripts: { test: 'node --test' } };
    trial.write('node/package.json', JSON.stringify(manifest));
    trial.write('node/greet.js', 'export const greet = (name) => `Hello, ${name}!`;\n');
    const test = "import test from 'node:test';\nimport assert from 'node:assert';\nimport { greet } from './greet.js';\n";
    trial.write('node/greet.test.js', `${test}test('it greets', () => assert.equal(greet('you'), 'Hello, you!'));\n`);
    assert.match(await shell('npm test', { role: 'gate', cwd: join(trial.base, 'node') }), /pass 1/);
  });

  it('the tests of a Python project run', { skip: python.path === null && 'python3 is not installed' }, async () => {
    const test =
      'import unittest, tempfile, multiprocessing\nclass T(unittest.TestCase):\n  def test(self):\n    with tempfile.NamedTemporaryFile() as f: f.write(b"x")\n    multiprocessing.Queue().close()\n';
    trial.write('python/test_it.py', test);
    assert.match(await shell('python3 -m unittest -v', { role: 'gate', cwd: join(trial.base, 'python') }), /OK/);
  });

  it('a Rust project builds, and its tests run', { skip: cargo.path === null && 'cargo is not installed' }, async () => {
    trial.write('rust/Cargo.toml', '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n');
    trial.write('rust/src/lib.rs', '#[test]\nfn it_adds() { assert_eq!(1 + 1, 2); }\n');
    assert.match(await shell('cargo test --offline', { role: 'gate', cwd: join(trial.base, 'rust') }), /1 passed/);
  });

  it('a reviewer can look at a repository in all the usual ways, and run things in a copy of it', async () => {
    const repository = join(trial.base, 'repository');
    const scratch = join(trial.base, 'scratch');
    mkdirSync(scratch);
    trial.write('repository/file', 'one\n');
    const git = ['git', '-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@localhost'];
    await outside(trial.base, 'git', 'init', '-q', repository);
    await outside(repository, ...git, 'add', '.');
    await outside(repository, ...git, 'commit', '-qm', 'The state before');
    trial.write('repository/file', 'two\n');
    await outside(repository, ...git, 'commit', '-qam', 'The change');
    const line =
      'git status --short --branch && git diff HEAD~1 && git log --oneline --stat && git blame file && git show HEAD:file && git stash list';
    const looked = await shell(line, { role: 'reviewer', cwd: repository });
    for (const words of [/^## \w+/, /-one\n\+two/, /The change/]) assert.match(looked, words);
    const copied = `cp -R . ${scratch}/copy && cd ${scratch}/copy && echo three > file && git -c user.name=x -c user.email=x commit -qam more && git log --oneline | wc -l`;
    assert.equal((await shell(copied, { role: 'reviewer', cwd: repository, write: [scratch] })).trim(), '3');
  });
});
