import type { Story } from './story.ts';
import { ASKING } from './stories/asking.ts';
import { ENDED } from './stories/ended.ts';
import { idempotentCharges } from './stories/idempotent-charges.ts';
import { LANDED } from './stories/landed.ts';
import { WORKING } from './stories/working.ts';

/** Everything that a board can show, in the order in which it was asked for. */
export const STORIES: readonly Story[] = [...LANDED, ...ENDED, ...ASKING, idempotentCharges, ...WORKING];
