import { choiceLetter, choiceNeeds, choicesOf, choiceWords } from '../../core/choices.ts';
import type { Loop } from '../../core/loop.ts';
import type { LoopOutput } from '../../core/output.ts';
import { loopOutput } from '../../core/project-output.ts';
import { decideByName, overrideLoop, ruleOnFinding } from '../../engine/commands.ts';
import type { Desk } from '../../engine/desk.ts';
import type { Choices, peopleContract } from '../contract/people.ts';
import { findLoop, loopNumber } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

/** Answers people who decide; all of it is done in the name of whoever the project belongs to. */
export function peopleRoutes(desk: Desk): Handlers<typeof peopleContract> {
  const { engine, person: by } = desk;
  const taken = (loop: Loop): LoopOutput => {
    desk.stir();
    return loopOutput(loop);
  };
  return {
    readChoices: async ({ params }) => choicesAsked(await findLoop(desk, params.id)),
    decideLoop: async ({ params, body }) => taken(await decideByName(engine, await loopNumber(desk, params.id), { ...body, by })),
    overrideLoop: async ({ params, body: { verdict, ...order } }) => {
      const id = await loopNumber(desk, params.id);
      return taken(await overrideLoop(engine, id, { ...order, ...(verdict === undefined ? {} : { verdict }), by }));
    },
    ruleOnFinding: async ({ params, body }) => {
      const id = await loopNumber(desk, params.id);
      return taken(await ruleOnFinding(engine, id, { ...body, findingId: `${id}.${params.number}`, by }));
    },
  };
}

function choicesAsked(loop: Loop): Choices {
  return {
    seq: loop.seq,
    escalation: loop.escalation === null ? null : { reason: loop.escalation.reason, why: loop.escalation.why },
    choices: choicesOf(loop).map((choice, index) => ({
      choice,
      letter: choiceLetter(index),
      text: choiceWords(loop, choice),
      needs: choiceNeeds(choice),
    })),
    agents: Object.keys(loop.settings.agents),
  };
}
