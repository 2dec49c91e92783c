import type { Event } from '../../src/core/event.ts';
import { headOf, makeSettings, makeTask } from './loops.ts';

/** The first event of a loop with scripted agents. */
export function makeCreated(id: number): Extract<Event, { type: 'created' }> {
  return {
    type: 'created',
    id,
    uid: `01JD${String(id).padStart(22, '0')}`,
    task: makeTask({ title: `Add greeting ${id}` }),
    settings: makeSettings(),
    base: { ref: 'main', commit: 'base', mergeBase: 'base', mergeBaseTree: 'tree-base' },
    start: headOf('base'),
    branch: `volley/${id}-add-greeting`,
    by: 'Test Person',
    notes: [],
  };
}
