import type { ReactNode } from 'react';
import type { Proof } from '../../../src/core/proof.ts';
import type { ReviewView, RoundView } from '../../../src/core/view.ts';
import { counted, someOf } from '../../../src/core/words.ts';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { usd } from '../ui/usd.ts';
import { elapsed } from './elapsed.ts';
import type { Fact } from './fact-list.tsx';
import { shortId } from './range.ts';

/** A part of a proof: its name, what was checked about it, and what it says. */
export type ProofSection = {
  readonly title: string;
  readonly check: { readonly ok: boolean; readonly words: string } | null;
  readonly facts: readonly Fact[];
};

/** The proof of one review, part by part. */
export function proofSections({
  review,
  round,
  problem,
}: {
  readonly review: ReviewView;
  readonly round: RoundView;
  readonly problem: string | null;
}): readonly ProofSection[] {
  const { proof } = review;
  return [
    { title: 'What was reviewed', check: deliveredCheck(proof, problem), facts: whatFacts(proof) },
    { title: 'By whom', check: exitCheck(proof), facts: whoFacts(proof, review) },
    { title: 'Confinement', check: treeCheck(proof), facts: holdFacts(proof) },
    { title: 'Channel', check: channelCheck(proof), facts: channelFacts(proof) },
    ...gateSection(proof, round),
  ];
}

function quiet(text: string): ReactNode {
  return (
    <span className="text-fg-3">
      <Plain text={text} />
    </span>
  );
}

function hash(text: string): ReactNode {
  return (
    <code className="text-[11.5px]" title={text}>
      sha256 {text.slice(0, 8)}…{text.slice(-4)}
    </code>
  );
}

function deliveredCheck({ filesMissing }: Proof, problem: string | null): ProofSection['check'] {
  if (problem !== null) return { ok: false, words: problem };
  return filesMissing.length === 0 ? { ok: true, words: 'whole, and of the newest commit' } : { ok: false, words: 'not whole' };
}

function whatFacts({ mergeBase, head, diffSha256, promptSha256, filesDelivered, filesNamed, filesMissing }: Proof): readonly Fact[] {
  const all = filesDelivered.length + filesNamed.length + filesMissing.length;
  return [
    { name: 'Range', value: <code className="text-[11.5px]">{`${shortId(mergeBase)} … ${shortId(head)}`}</code> },
    { name: 'Diff', value: hash(diffSha256) },
    {
      name: 'Delivered',
      value: (
        <>
          {filesDelivered.length} of {counted(all, 'file')}
          {filesNamed.length === 0 ? null : quiet(` · ${someOf(filesNamed)} by name, without text`)}
        </>
      ),
    },
    ...(filesMissing.length === 0 ? [] : [{ name: 'Not delivered', value: <Plain text={someOf(filesMissing)} /> }]),
    { name: 'Prompt', value: hash(promptSha256) },
  ];
}

function exitCheck({ exitState }: Proof): ProofSection['check'] {
  return exitState === 'completed' ? { ok: true, words: 'ended well' } : { ok: false, words: exitState.replaceAll('-', ' ') };
}

function whoFacts(proof: Proof, { member, agent }: ReviewView): readonly Fact[] {
  const { agentVersion, model, tokens, sameVendor, startedAt, endedAt, absent } = proof;
  return [
    {
      name: 'Agent',
      value: (
        <span className="inline-flex flex-wrap items-center gap-1.5">
          <Tile agent={agent} role="reviews" />
          <Plain text={agent} />
          {quiet([agentVersion, 'fresh session'].filter((part) => part !== null).join(' · '))}
        </span>
      ),
    },
    ...(member === agent ? [] : [{ name: 'In place of', value: <Plain text={member} /> }]),
    { name: 'Model', value: model === null ? quiet(absent['model'] ?? 'not told') : <Plain text={model} /> },
    {
      name: 'Independent',
      value:
        sameVendor === null
          ? quiet(absent['sameVendor'] ?? 'not known')
          : sameVendor
            ? 'the same kind of agent as the author'
            : 'another kind of agent than the author',
    },
    { name: 'Tokens', value: tokens === null ? quiet(absent['tokens'] ?? 'not told') : tokenWords(tokens) },
    { name: 'Cost', value: costWords(proof) },
    {
      name: 'Time',
      value: (
        <>
          {clock(startedAt)} – {clock(endedAt)} {quiet(`· ${elapsed(Date.parse(endedAt) - Date.parse(startedAt))}`)}
        </>
      ),
    },
  ];
}

function tokenWords({ input, cached, output }: NonNullable<Proof['tokens']>): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  return [`${number(input)} in`, ...(cached === null ? [] : [`${number(cached)} cached`]), `${number(output)} out`].join(' · ');
}

const BASES = {
  reported: 'as the agent reported',
  priced: 'estimated from tokens',
  reserved: 'its whole reservation',
  free: 'it costs nothing',
} as const;

function costWords({ costUsd, costBasis, absent }: Proof): ReactNode {
  if (costBasis === 'free') return quiet(BASES.free);
  if (costUsd === null) return quiet(absent['costUsd'] ?? 'not known');
  return (
    <>
      {usd(costUsd, costBasis !== 'reported')} {costBasis === null ? null : quiet(BASES[costBasis])}
    </>
  );
}

function clock(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB');
}

function treeCheck({ tripwire: { before, after } }: Proof): ProofSection['check'] {
  return before === after ? { ok: true, words: 'tree unchanged' } : { ok: false, words: 'the tree was changed' };
}

const LEVELS = { os: 'os', agent: 'agent', copy: 'copy' } as const;
const LEVEL_NOTES = {
  os: 'held by the operating system',
  agent: 'held by the agent’s own sandbox',
  copy: 'a copy of the tree, not held',
} as const;
const NETWORKS = { open: 'open', provider: 'the agent’s own hosts only', none: 'none' } as const;

function holdFacts({ confinement, network, tripwire: { before, after }, absent }: Proof): readonly Fact[] {
  return [
    {
      name: 'Level',
      value: (
        <>
          {LEVELS[confinement]} {quiet(`· ${LEVEL_NOTES[confinement]}`)}
        </>
      ),
    },
    { name: 'Network', value: network === null ? quiet(absent['network'] ?? 'not limited') : NETWORKS[network] },
    {
      name: 'Before, after',
      value: (
        <code className="text-[11.5px]">
          {before.slice(0, 8)} {before === after ? '=' : '≠'} {after.slice(0, 8)}
        </code>
      ),
    },
  ];
}

function channelCheck({ channel, witness }: Proof): ProofSection['check'] {
  if (witness === 'witnessed') return { ok: true, words: 'call witnessed' };
  if (witness === 'unwitnessed') return { ok: false, words: 'nobody saw the call' };
  return channel === 'structured' ? { ok: true, words: 'came as data' } : null;
}

const CHANNELS: Readonly<Record<Proof['channel'], string>> = {
  mcp: 'a tool call, set_loop_review_result',
  structured: 'data from the agent’s program, not words',
  'result-file': 'a file that only this session knew',
  nonce: 'a block with the secret of this session',
  text: 'words on the screen',
};

function channelFacts({ channel, witness, absent }: Proof): readonly Fact[] {
  return [
    { name: 'Result', value: CHANNELS[channel] },
    {
      name: 'Witness',
      value:
        witness === null
          ? quiet(absent['witness'] ?? 'none is needed')
          : witness === 'witnessed'
            ? 'the agent’s own stream showed the call'
            : 'the agent’s own stream did not show it',
    },
    { name: 'Text on screen', value: quiet(channel === 'text' ? 'read, because there was nothing else' : 'ignored') },
  ];
}

function gateSection({ gates, absent }: Proof, round: RoundView): readonly ProofSection[] {
  if (gates === null) return [{ title: 'Gates', check: null, facts: [{ name: 'Gates', value: quiet(absent['gates'] ?? 'none') }] }];
  const green = gates.filter(({ passed }) => passed).length;
  const stands = gates.every(({ passed, redBefore, acceptedBy }) => passed || redBefore || acceptedBy !== null);
  return [
    {
      title: 'Gates',
      check: { ok: stands, words: `${green} of ${gates.length}` },
      facts: gates.map(({ name, passed, redBefore, acceptedBy }) => {
        const ran = round.gates?.results.find((result) => result.name === name);
        const time = ran === undefined ? '' : ` · ${elapsed(ran.durationMs)}`;
        const why = redBefore ? ' · red before the change too' : acceptedBy === null ? '' : ` · accepted by ${acceptedBy}`;
        return {
          name,
          value: (
            <>
              {passed ? 'passed' : 'red'}
              {quiet(`${why}${time}`)}
            </>
          ),
        };
      }),
    },
  ];
}
