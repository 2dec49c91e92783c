import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { nest } from './layer.ts';
import { reviewLoopEdits, reviewLoopSettings } from './review-loop-settings.ts';
import type { ReviewLoopSettings } from '../core/review-loop-settings.ts';

const OTHERS: ReviewLoopSettings = {
  enabled: false,
  maxIterations: 5,
  selfReviewBeforePR: false,
  autoAddressReviewComments: false,
  severityThreshold: 'critical',
  notifyOnReady: false,
  notificationChannels: ['slack', 'email'],
};

function settingsOf(text: string): ReviewLoopSettings {
  return reviewLoopSettings(
    loadConfig({ layers: [{ origin: 'project', label: 'volley.yaml', dir: '/project', text }], drivers: ['command'] }).config,
  );
}

test('the defaults are those of seed 002', () => {
  assert.deepEqual(settingsOf(''), {
    enabled: true,
    maxIterations: 3,
    selfReviewBeforePR: true,
    autoAddressReviewComments: true,
    severityThreshold: 'medium',
    notifyOnReady: true,
    notificationChannels: ['github'],
  });
});

test('what is written comes back, all of it and each alone', () => {
  const written = (settings: unknown): ReviewLoopSettings => settingsOf(JSON.stringify(nest(reviewLoopEdits(settings))));
  assert.deepEqual(written(OTHERS), OTHERS);
  for (const [name, value] of Object.entries(OTHERS)) assert.deepEqual(written({ [name]: value }), { ...settingsOf(''), [name]: value });
});

test('all that is wrong is told at once, under the names that were used', () => {
  assert.throws(
    () =>
      reviewLoopEdits({ maxIterations: 0, severityThreshold: 'blocker', enabled: null, maxIteration: 3, notificationChannels: ['pager'] }),
    {
      code: 'bad-config',
      message: [
        'maxIterations must be a whole number of at least 1',
        'severityThreshold must be one of critical, high, medium, low, suggestion',
        'enabled must have a value',
        'maxIteration is not a setting; did you mean maxIterations?',
        'notificationChannels[0] must be one of github, slack, email, webhook',
      ].join('\n'),
    },
  );
  for (const nothing of [null, [], 'x']) assert.throws(() => reviewLoopEdits(nothing), { code: 'bad-config' });
});
