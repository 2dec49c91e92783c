import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingPath, unknownSetting } from './setting-name.ts';

const NAMES: readonly (readonly [name: string, path: string])[] = [
  ['policy.maxRounds', 'policy.maxRounds'],
  ['policy', 'policy'],
  ['agents.mine.price.input', 'agents.mine.price.input'],
  ['taskTypes.improve.model', 'taskTypes.improve.model'],
  ['maxIterations', 'policy.maxRounds'],
  ['reviewLoop.enabled', 'review.enabled'],
];

for (const [name, path] of NAMES) {
  test(`${name} is the setting ${path}`, () => {
    assert.equal(settingPath(name).join('.'), path);
  });
}

const MISTAKES: readonly (readonly [name: string, meant: string | null])[] = [
  ['policy.maxRond', 'policy.maxRounds'],
  ['polcy.maxRounds', 'policy'],
  ['blockAt', 'policy.blockAt'],
  ['maxIteration', 'maxIterations'],
  ['max_review_cycles', 'policy.maxRounds'],
  ['agents.mine.modle', 'agents.mine.model'],
  ['taskTypes.improve.reviewModel', 'taskTypes.implement.reviewModel'],
  ['policy.maxRounds.deeper', null],
  ['agents.a b', null],
  ['', null],
];

for (const [name, meant] of MISTAKES) {
  test(`'${name}' is no setting${meant === null ? '' : `, and ${meant} is near`}`, () => {
    const message = `'${name}' is not a setting${meant === null ? '.' : `; did you mean ${meant}?`}`;
    assert.throws(() => settingPath(name), { code: 'bad-usage', message });
  });
}

test('an agent that nobody configured is told with the nearest that somebody did', () => {
  assert.equal(
    unknownSetting('agents.critc.model', ['agents', 'critc'], ['writer', 'critic']).message,
    "'agents.critc.model' is not a setting; did you mean agents.critic?",
  );
});
