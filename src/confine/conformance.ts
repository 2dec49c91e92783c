import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Confinement, Profile } from './confinement.ts';
import { openTrial } from './trial.ts';
import type { Trial } from './trial.ts';
import type { Variables } from './variables.ts';

/** How the suite gets a confinement for a user with these variables. */
export type MakeConfinement = (given: { readonly stateDir: string; readonly user: Variables }) => Confinement;

const ROLES: readonly Profile['role'][] = ['author', 'fixer', 'gate', 'reviewer', 'arbiter'];

/** Tests that hold for every level: a held program runs as it would without, but with nothing of the user's that nobody named. */
export function confinementConformance(name: string, make: MakeConfinement): void {
  describe(`confinement ${name}`, () => {
    let trial: Trial;
    let confinement: Confinement;
    before(() => {
      trial = openTrial();
      const user = {
        PATH: `${process.env['PATH'] ?? '/usr/bin:/bin'}:.:node_modules/.bin`,
        HOME: trial.userHome,
        LANG: 'de_DE.UTF-8',
        GITHUB_TOKEN: 'canary-of-the-user',
        MY_API_KEY: 'wanted',
      };
      confinement = make({ stateDir: trial.stateDir, user });
    });
    after(() => trial.close());

    it('a program is told nothing of the user but what is named', async () => {
      const { output } = await trial.run(confinement, ['/usr/bin/env'], { passEnv: ['MY_API_KEY', 'NOT_SET'], env: { PORT: '4000' } });
      for (const line of ['MY_API_KEY=wanted', 'PORT=4000', 'LANG=de_DE.UTF-8', `HOME=${trial.home}`])
        assert.ok(output.includes(line), line);
      assert.doesNotMatch(output, /canary-of-the-user|NOT_SET/);
    });
    it('programs are looked for in absolute folders only', async () => {
      const { output } = await trial.run(confinement, ['/bin/sh', '-c', 'echo "$PATH"']);
      assert.ok(
        output
          .trim()
          .split(':')
          .every((folder) => folder.startsWith('/')),
      );
    });
    for (const role of ROLES) {
      it(`a program of the role ${role} starts in its checkout, writes its home and temporary files, and reads its input`, async () => {
        trial.write('state/project/checkout/seen', 'in the checkout\n');
        const line = 'cat seen && cd ~ && echo home > file && cat file && f=$(mktemp) && echo temporary > $f && cat $f && cat';
        const end = await trial.run(confinement, ['/bin/sh', '-c', line], { role, input: 'typed' });
        assert.deepEqual([end.kind, end.output], ['exited', 'in the checkout\nhome\ntemporary\ntyped']);
      });
    }
    for (const role of ['author', 'fixer', 'gate'] as const) {
      it(`what the role ${role} writes to its checkout stays`, async () => {
        const { kind } = await trial.run(confinement, ['/bin/sh', '-c', `echo ${role} > written-${role}`], { role });
        assert.equal(kind, 'exited');
        assert.equal(readFileSync(join(trial.checkout, `written-${role}`), 'utf8'), `${role}\n`);
      });
    }
    it('the exit code is that of the program', async () => {
      const end = await trial.run(confinement, ['/bin/sh', '-c', 'exit 7']);
      assert.ok(end.kind === 'exited');
      assert.equal(end.code, 7);
    });
    it('arguments reach the program as they are', async () => {
      const odd = ['--', '-x', 'a b', '$HOME', '', '--ro-bind', 'ä\n'];
      const { output } = await trial.run(confinement, ['/usr/bin/printf', '[%s]', ...odd]);
      assert.equal(output, odd.map((text) => `[${text}]`).join(''));
    });
    it('the home of the project is made, for its owner only', async () => {
      await (await trial.hold(confinement)).close();
      assert.ok(existsSync(trial.home));
      assert.equal(statSync(trial.home).mode & 0o077, 0);
    });
    it('it can be closed twice, with every kind of network', async () => {
      for (const mode of ['none', 'public', 'open'] as const) {
        const held = await trial.hold(confinement, { network: { mode } });
        await Promise.all([held.close(), held.close()]);
        await held.close();
      }
    });
    it('no value of a variable stands in the command line, which everybody on the machine can read', async () => {
      const held = await trial.hold(confinement, { passEnv: ['MY_API_KEY'], env: { OTHER: 'also-wanted' } });
      await held.close();
      assert.doesNotMatch(held.launcher.join(' '), /wanted/);
    });
  });
}
