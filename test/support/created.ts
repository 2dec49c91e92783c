import type { Event } from '../../src/core/event.ts';
import type { Loop } from '../../src/core/loop.ts';
import { committed, headOf, makeRaised, makeSettings, makeTask, reviewOutcome, tokenOf } from './loops.ts';

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

/** The result of the action under way: of an author a commit, of a reviewer one blocking finding about code with this hash. */
export function makeResult(loop: Loop, codeHash: string | null): Event {
  const token = tokenOf(loop);
  if (loop.current?.action.do === 'author') {
    return { type: 'authored', token, outcome: committed('1'), summary: null, taskComplete: true, session: null };
  }
  const raised = [makeRaised({ tag: 'dead-code', description: 'It is never called.', codeHash })];
  return { type: 'reviewed', token, member: 'beta', agent: 'beta', outcome: reviewOutcome(loop, 'beta', { raised }), session: null };
}
