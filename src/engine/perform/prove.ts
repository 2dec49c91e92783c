import type { Change } from '../../core/diff.ts';
import type { Session } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import { diffSection } from '../../core/prompts/sections.ts';
import type { Proof } from '../../core/proof.ts';
import { absentParts, gateRecords } from '../../core/proof-parts.ts';
import type { ReviewReading } from '../../core/review.ts';
import { BUILTIN, hasModel } from '../../core/settings.ts';
import { sha256 } from '../../lib/ids.ts';
import type { Engine } from '../engine.ts';

/** What is known about a review when its session has ended. */
export type Told = {
  readonly engine: Engine;
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
  const { engine, loop, agent, change, prompt, session, reading } = told;
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
    driver: spec?.driver ?? '',
    agentVersion: told.agentVersion,
    model: spec?.model ?? null,
    sameVendor: sameVendor(loop, agent),
    billing: spec?.billing ?? null,
    tokens: tokensOf(session),
    costUsd: session.costBasis === 'free' ? 0 : (session.usage?.costUsd ?? null),
    costBasis: session.costBasis,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    exitState: session.exit,
    channel: reading.channel,
    witness: reading.channel === 'mcp' ? 'witnessed' : null,
    confinement: engine.confinement.level,
    network: null,
    tripwire: told.tripwire,
    gates: gateRecords(loop),
  };
  return { ...parts, absent: absentParts(parts) };
}

/** Which files the reviewer was given: those whose diff stands whole in its prompt, or that it got as data. */
function delivery({ loop, agent, change, prompt }: Told): Pick<Proof, 'filesDelivered' | 'filesNamed' | 'filesMissing'> {
  const isData = loop.settings.agents[agent]?.driver === BUILTIN;
  const isWhole = isData || prompt.includes(diffSection(change.patch, '').slice(DIFF_HEADING));
  const paths = (some: Change['files']): string[] => some.map(({ path }) => path);
  const named = change.files.filter(({ binary, submodule }) => binary || submodule);
  const texts = change.files.filter((file) => !named.includes(file));
  return { filesDelivered: isWhole ? paths(texts) : [], filesNamed: paths(named), filesMissing: isWhole ? [] : paths(texts) };
}

/** Where the fence of a diff begins behind a heading without a label. */
const DIFF_HEADING = diffSection('', '').indexOf('```');

function sameVendor({ settings, roles }: Loop, reviewer: string): boolean | null {
  const driver = settings.agents[reviewer]?.driver ?? '';
  if (driver === BUILTIN) return false;
  const makers = [roles.author, roles.fixer].flatMap((name) => (name === null ? [] : (settings.agents[name]?.driver ?? [])));
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
