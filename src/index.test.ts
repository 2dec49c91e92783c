import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import * as events from './core/review-loop-events.ts';
import * as seed000 from './core/seed-000.ts';
import * as feedback from './core/seed-002-feedback.ts';
import * as seed002 from './core/seed-002.ts';
import * as volley from './index.ts';

test('every payload of the seeds is part of the public API, under its name', () => {
  const payloads = Object.entries({ ...seed000, ...seed002, ...feedback, ...events }).filter(([, one]) => one instanceof z.ZodType);
  assert.ok(payloads.length > 12);
  for (const [name, schema] of payloads) assert.equal(Reflect.get(volley, name), schema, name);
});
