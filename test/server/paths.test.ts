import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { reviewing, runTask } from '../support/served-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { fakeEnded } from '../../src/agents/fake.ts';

// T15 of the threats, where people name files; where files are read, changes.test.ts and artefacts.test.ts prove the same.

const ELSEWHERE = [
  '../secret.txt',
  'a/../../secret.txt',
  './code.txt/../../secret.txt',
  '/etc/passwd',
  'folder/secret.txt',
  'code.txt\u0000.png',
  'C:\\Windows\\win.ini',
  '..\\secret.txt',
  '%2e%2e%2fsecret.txt',
  'CODE.TXT',
  '.git/config',
  '.volley/volley.db',
  '-- code.txt',
  ':(top)code.txt',
  'HEAD:code.txt',
];

let project: ServedProject;

before(async () => {
  project = await serveScenario({
    author: async function* play({ cwd }) {
      await writeFile(join(cwd, 'code.txt'), 'one\n');
      await symlink('/etc/passwd', join(cwd, 'link.txt'));
      await symlink('..', join(cwd, 'folder'));
      yield fakeEnded('{}');
    },
    reviewer: reviewing({ passed: true }),
  });
  await writeFile(join(project.scenario.root, '..', 'secret.txt'), 'a secret of the user\n');
  await runTask(project);
});

after(async () => await project[Symbol.asyncDispose]());

for (const file of ELSEWHERE)
  test(`nobody comments on a line of ${JSON.stringify(file)}, and nothing of it is read`, async () => {
    for (const path of ['/api/loops/1/comments', '/api/loops/1/drafts']) {
      const { status, body } = await project.ask('POST', path, { body: { text: 'Look here', file, line: 1 } });
      assert.ok(status >= 400 && status < 500, `${path}: ${status} ${JSON.stringify(body)}`);
      assert.doesNotMatch(JSON.stringify(body), /root:|a secret of the user|\[core\]/);
    }
  });

test('a line of a file of the change is commented on; of a link it is the link itself, not what it leads to', async () => {
  for (const file of ['code.txt', 'link.txt']) {
    const { status, body } = await project.ask('POST', '/api/loops/1/comments', { body: { text: 'Look here', file, line: 1 } });
    assert.equal(status, 201);
    assert.doesNotMatch(JSON.stringify(body), /root:/);
  }
});
