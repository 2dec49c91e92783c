import type { Change } from '../../core/diff.ts';
import type { Session } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import { fenced } from '../../core/prompts/fence.ts';
import type { Proof } from '../../core/proof.ts';
import { absentParts, gateRecords, sessionParts } from '../../core/proof-parts.ts';
import type { ReviewReading } from '../../core/review.ts';
import { BUILTIN, hasModel, looksOnly } from '../../core/settings.ts';
import { sha256 } from '../../lib/ids.ts';

/** What is known about a review when its session has ended. */
export type Told = {
  readonly loop: Loop;
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly change: Change;
  readonly prompt: string;
  readonly session: Session;
  readonly reading: ReviewReading;
  readonly tripwire: Proof['tripwire'];
};

/** The proof of a review: only what was seen, and by name what could not be. */
export function prove(told: Told): Proof {
  const { loop, agent, change, prompt, session, reading } = told;
  const spec = loop.settings.agents[agent];
  const parts: Omit<Proof, 'absent'> = {
    base: change.base,
    mergeBase: change.mergeBase,
    head: change.head,
    tree: change.tree,
    diffSha256: change.patchSha256,
    ...delivery(told),
    promptSha256: sha256(prompt),
    agent,
    agentVersion: told.agentVersion,
    sameVendor: sameVendor(loop, agent),
    tokens: tokensOf(session),
    costUsd: session.costBasis === 'free' ? 0 : (session.usage?.costUsd ?? null),
    costBasis: session.costBasis,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    exitState: session.exit,
    channel: reading.channel,
    witness: reading.channel === 'mcp' ? 'witnessed' : null,
    ...sessionParts(session, spec),
    tripwire: told.tripwire,
    gates: gateRecords(loop),
  };
  return { ...parts, absent: absentParts(parts) };
}

/** Which files the reviewer was given: those whose diff stands whole in its prompt, or that it got as data. */
function delivery({ loop, agent, change, prompt }: Told): Pick<Proof, 'filesDelivered' | 'filesNamed' | 'filesMissing'> {
  const isData = loop.settings.agents[agent]?.driver === BUILTIN;
  const isWhole = isData || prompt.includes(fenced(change.patch, 'diff'));
  const paths = (some: Change['files']): string[] => some.map(({ path }) => path);
  const named = change.files.filter(({ binary, submodule }) => binary || submodule);
  const texts = change.files.filter((file) => !named.includes(file));
  return { filesDelivered: isWhole ? paths(texts) : [], filesNamed: paths(named), filesMissing: isWhole ? [] : paths(texts) };
}

/** Whoever worked counts, which may be a fallback; before anybody did, whoever would. */
function sameVendor({ settings, roles, sessions }: Loop, reviewer: string): boolean | null {
  const driver = settings.agents[reviewer]?.driver ?? '';
  if (driver === BUILTIN) return false;
  const worked = sessions.filter(({ role, exit }) => !looksOnly(role) && exit === 'completed').map(({ agent }) => agent);
  const names = worked.length > 0 ? worked : [roles.author, roles.fixer].filter((name) => name !== null);
  const makers = names.flatMap((name) => settings.agents[name]?.driver ?? []);
  if (!hasModel(driver) || makers.some((maker) => maker !== BUILTIN && !hasModel(maker))) return null;
  return makers.includes(driver);
}

function tokensOf({ usage }: Session): Proof['tokens'] {
  if (usage === null || usage.inputTokens === null || usage.outputTokens === null) return null;
  const {
    inputTokens: input,
    outputTokens: output,
    cachedTokens: cached,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: reasoning,
  } = usage;
  return { input, output, cached, cacheWrite, reasoning };
}
