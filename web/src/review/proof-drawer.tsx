import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { LoopView, ReviewView, RoundView, SessionView } from '../../../src/core/view.ts';
import { asking } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { DrawerFrame } from './drawer-frame.tsx';
import { Facts } from './fact-list.tsx';
import { usePlace } from './place.ts';
import { proofSections } from './proof-sections.tsx';
import type { ProofSection } from './proof-sections.tsx';
import { askProofs } from './questions.ts';
import { ScrollArea } from './scroll-area.tsx';
import { sessionDrawer } from './session-name.ts';
import { Verify } from './verify.tsx';

type Given = { readonly loop: LoopView; readonly round: number | null; readonly sessions: readonly SessionView[] };

/** What proves a review: what was delivered, by whom it was read, how it was held, and by which way the answer came. */
export function ProofDrawer({ loop, round, sessions }: Given): JSX.Element {
  const { go } = usePlace();
  const others = loop.rounds.map((one) => one.round).filter((one) => one !== round);
  return (
    <DrawerFrame
      icon="shield"
      title={round === null ? 'Proof' : `Proof · round ${round}`}
      acts={others
        .toReversed()
        .slice(0, 3)
        .map((one) => (
          <Button key={one} kind="ghost" size="small" onClick={() => go({ drawer: `proof:${one}` }, { replace: true })}>
            Round {one}
          </Button>
        ))}
    >
      <ScrollArea label="Proof" className="pb-5">
        {round === null ? (
          <p className="p-5 text-fg-3">There is no review yet, and so no proof of one.</p>
        ) : (
          <Round loop={loop} round={round} sessions={sessions} />
        )}
        <Verify key={loop.seq} loop={loop.id} round={round} />
      </ScrollArea>
    </DrawerFrame>
  );
}

function Round({ loop, round, sessions }: Given & { readonly round: number }): JSX.Element | null {
  const { data, error } = useQuery(asking('showRound', { params: { id: loop.id, round } }));
  const { data: proofs } = useQuery(askProofs(loop.id));
  if (error !== null)
    return (
      <p role="alert" className="p-5 text-failed">
        <Plain text={error.message} />
      </p>
    );
  if (data === undefined) return null;
  return (
    <>
      <p className="px-5 pt-3.5 pb-0.5 text-body text-fg-2">
        <Lead round={data} />
      </p>
      {data.reviews.map((review) => (
        <Review
          key={review.member}
          review={review}
          round={data}
          sessions={sessions}
          problem={proofs?.find((one) => one.round === round && one.member === review.member)?.problem ?? null}
        />
      ))}
      <Lost round={data} />
    </>
  );
}

/** What the verdict was computed from, and what the reviewers themselves said. */
function Lead({ round }: { readonly round: RoundView }): JSX.Element {
  const verdict = round.verdict.toLowerCase().replaceAll('_', ' ');
  const claims = round.reviews.flatMap(({ claim }) => claim ?? []);
  const same = claims.every((claim) => claim.toLowerCase() === round.verdict.toLowerCase());
  const word = `${verdict.slice(0, 1).toUpperCase()}${verdict.slice(1)}`;
  return (
    <>
      <b className="font-semibold text-fg">{word}</b>, computed from{' '}
      {round.blocking === 1 ? '1 blocking finding' : `${round.blocking} blocking findings`}.{' '}
      {claims.length === 0
        ? 'The reviewer gave no word of its own.'
        : same
          ? 'The reviewer’s own word was the same.'
          : `The reviewer itself said ${claims.join(', ').toLowerCase().replaceAll('_', ' ')}, which is not what holds.`}
    </>
  );
}

function Review({
  review,
  round,
  sessions,
  problem,
}: {
  readonly review: ReviewView;
  readonly round: RoundView;
  readonly sessions: readonly SessionView[];
  readonly problem: string | null;
}): JSX.Element {
  const { go } = usePlace();
  const session = sessions.find(({ transcript }) => transcript !== null && transcript === review.session?.transcript);
  return (
    <>
      {round.reviews.length > 1 ? (
        <h3 className="mx-5 mt-4 border-t border-line pt-3 font-semibold">
          <Plain text={review.member} />
        </h3>
      ) : null}
      {proofSections({ review, round, problem }).map((section) => (
        <Section key={section.title} section={section} />
      ))}
      <p className="flex flex-wrap gap-1.5 px-5 pt-3">
        {session === undefined ? null : (
          <Button size="small" onClick={() => go({ drawer: sessionDrawer(session) })}>
            <Icon name="term" size={14} />
            Prompt and transcript
          </Button>
        )}
        {round.gates === null ? null : (
          <Button size="small" onClick={() => go({ drawer: `gates:${round.gates?.seq ?? ''}` })}>
            Gate output
          </Button>
        )}
      </p>
    </>
  );
}

function Section({ section: { title, check, facts } }: { readonly section: ProofSection }): JSX.Element {
  return (
    <section className="px-5 pt-3.5 pb-1">
      <h3 className="mb-1 flex items-center gap-1.5 text-small font-semibold">
        {title}
        {check === null ? null : (
          <span className={`ml-auto inline-flex min-w-0 items-center gap-1 font-normal ${check.ok ? 'text-settled' : 'text-failed'}`}>
            <Icon name={check.ok ? 'check' : 'x'} size={14} />
            <span className="truncate" title={seenText(check.words)}>
              <Plain text={check.words} />
            </span>
          </span>
        )}
      </h3>
      <Facts facts={facts} />
    </section>
  );
}

/** Who was asked and gave no verdict, and why nobody took its word. */
function Lost({ round }: { readonly round: RoundView }): JSX.Element | null {
  if (round.lostMembers.length === 0) return null;
  return (
    <section className="px-5 pt-3.5">
      <h3 className="mb-1 text-small font-semibold">Without a verdict</h3>
      <Facts
        facts={round.lostMembers.flatMap(({ member, attempts }) =>
          attempts.map(({ agent, reason, detail }, index) => ({
            name: attempts.length > 1 ? `${member} ${index + 1}` : member,
            value: <Plain text={`${agent === member ? '' : `${agent}: `}${reason.replaceAll('-', ' ')} · ${detail}`} />,
          })),
        )}
      />
    </section>
  );
}
