import { z } from 'zod';
import { Verdict } from '../../core/review.ts';
import { reviewersOf } from '../../core/round.ts';
import { requireLoop } from '../../engine/commands.ts';
import { LoopNote, loopNote, noteText } from '../loop-words.ts';
import { defineTool } from '../tool.ts';
import { cut, untrusted } from '../untrusted.ts';
import { loopInput } from './inputs.ts';

const Output = LoopNote.extend({
  roundsTaken: z.array(
    z.object({
      round: z.number(),
      verdict: Verdict,
      reviewers: z.array(z.string()),
      findings: z.number(),
      blocking: z.number(),
      why: z.string(),
    }),
  ),
  decisions: z.array(z.object({ at: z.string(), by: z.string(), what: z.string(), reason: z.string().nullable() })),
});

const MOST = 10;

/** `show_loop`: one loop more closely. */
export const showLoop = defineTool({
  name: 'show_loop',
  title: 'Show a loop',
  description:
    'Tells how one task of Volley stands: its state, the verdict of every round with who reviewed it, what was decided by whom, and what to do next. Its findings come with list_findings.',
  input: z.object({ loop: loopInput }),
  output: Output,
  effects: 'reads',
  call: async ({ loop: id }, { desk }) => {
    const loop = await requireLoop(desk.engine, id);
    const note = loopNote(loop, { mayDecide: await desk.control.mayDecide() });
    const roundsTaken = loop.rounds.slice(-MOST).map((round) => ({
      round: round.round,
      verdict: round.verdict,
      reviewers: [...reviewersOf(round)],
      findings: round.findingIds.length,
      blocking: round.blockingIds.length,
      why: cut(round.why, 300),
    }));
    const decisions = loop.decisions.slice(-MOST).map(({ at, by, what, reason }) => ({
      at,
      by: cut(by, 100),
      what: cut(what, 200),
      reason: reason === null ? null : cut(reason, 300),
    }));
    const lines = [
      ...roundsTaken.map(({ round, verdict, reviewers, why }) => `round ${round}: ${verdict} by ${reviewers.join(', ')} (${why})`),
      ...decisions.map(({ by, what, reason }) => `${by}: ${what}${reason === null ? '' : ` (${reason})`}`),
    ];
    const story = lines.length === 0 ? [] : [untrusted(lines.join('\n'))];
    return { text: [noteText(note), ...story].join('\n\n'), data: { ...note, roundsTaken, decisions } };
  },
});
