/** The public API: what programs read and write, and what tests of one's own set-up need. */
export { ErrorOutput, EventOutput, FindingOutput, LoopOutput } from './core/output.ts';
export { Event } from './core/event.ts';
export { Proof } from './core/proof.ts';
export { Category, Severity } from './core/finding.ts';
export { Verdict } from './core/review.ts';
export { VolleyError } from './core/errors.ts';
export type { ErrorCode } from './core/errors.ts';
export { fakeAgent, fakeEnded, fakeFailed } from './agents/fake.ts';
export type { Agent, AgentEvent, AgentInput } from './agents/agent.ts';
