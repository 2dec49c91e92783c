import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { LoopView, RoundSummary, SessionView } from '../../../src/core/view.ts';
import { useLook } from '../diff/look.ts';
import { countReading } from './count-reading.ts';
import { commentsAt, findingsAt } from './findings-at.ts';
import { firstNews } from './first-news.ts';
import type { News } from './held-back.ts';
import { lookBefore, rememberLook } from './last-look.ts';
import type { LastLook } from './last-look.ts';
import { usePlace } from './place.ts';
import { askFindings, askLoopChange, askRounds, askSessions } from './questions.ts';
import type { LoopChange } from './questions.ts';
import { readRange, WHOLE } from './range.ts';
import type { Range } from './range.ts';
import { inTreeOrder } from './tree-rows.ts';
import { useNews } from './use-news.ts';

/** All that a panel shows of a loop, live, and what came while somebody read. */
export type PanelFacts = {
  readonly loop: LoopView;
  readonly rounds: readonly RoundSummary[];
  readonly sessions: readonly SessionView[];
  /** As they are at the right end of the range; the diff is given `shown`. */
  readonly findings: readonly ListedFinding[];
  readonly shown: readonly ListedFinding[];
  /** The comments that are drawn into the diff. */
  readonly comments: readonly LoopView['comments'][number][];
  /** How many findings were raised after what is shown. */
  readonly later: number;
  /** Every finding, however new; undefined until they have come. */
  readonly all: readonly ListedFinding[] | undefined;
  readonly news: News | null;
  readonly catchUp: () => void;
  /** Catches up, and leads to the first of what is new. */
  readonly showNews: () => void;
  readonly range: Range;
  /** The commit that is shown as the newest. */
  readonly head: string;
  /** What this browser saw before this visit. */
  readonly look: LastLook | null;
  readonly change: LoopChange | undefined;
  readonly changeError: Error | null;
  readonly askAgain: () => void;
  /** Whether the change that is drawn is the one before, because the one that is asked for is still on its way. */
  readonly loading: boolean;
};

const READ_MS = 10_000;

/** What a panel shows of a loop. */
export function usePanel(loop: LoopView): PanelFacts {
  const { place, go } = usePlace();
  const whitespace = useLook((look) => look.whitespace);
  const { data: rounds } = useQuery(askRounds(loop.id));
  const { data: sessions = NONE } = useQuery(askSessions(loop.id));
  const { data: findings } = useQuery(askFindings(loop.id));
  const newest = loop.head ?? loop.start.commit;
  const [reading, setReading] = useState(false);
  const news = useNews({ head: newest, findings, comments: loop.comments, reading });
  const look = useLastLook(loop.uid, news.head);
  const named = readRange(place.range);
  // Who never looked has seen nothing, and all of it is new.
  const range = named === 'seen' && look === null ? WHOLE : named;
  const ends = endsOf(range, news.head, look);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...askLoopChange(loop.id, { ...ends, whitespace }),
    placeholderData: keepPreviousData,
  });
  const change = useMemo(() => (data === undefined ? undefined : { ...data, files: inTreeOrder(data.files) }), [data]);
  const hasText = change !== undefined && change.files.length > 0;
  if (hasText !== reading) setReading(hasText);
  const then = useThen({ ...news, loop, findings: findings ?? NONE, shown: news.findings, rounds, commit: change?.head ?? news.head });
  return {
    loop,
    rounds: rounds ?? NONE,
    sessions,
    ...then,
    all: rounds === undefined ? undefined : findings,
    news: news.news,
    catchUp: news.catchUp,
    showNews: () => {
      const first = firstNews(news, news.newest, change?.files.map(({ path }) => path) ?? NONE);
      news.catchUp();
      if (first !== null) go(first, { top: first.finding === undefined && first.file === undefined });
    },
    range,
    head: news.head,
    look,
    change,
    changeError: error,
    askAgain: () => void refetch(),
    loading: isPlaceholderData,
  };
}

const NONE: readonly never[] = [];

type Then = Pick<PanelFacts, 'loop' | 'head' | 'findings' | 'shown' | 'comments'> & {
  readonly rounds: PanelFacts['rounds'] | undefined;
  /** On the right of the diff that is drawn, which may still be the one before. */
  readonly commit: string;
};

/** Findings and comments as they were at the commit that is shown: a line of the newest one says nothing about another. */
function useThen(given: Then): Pick<PanelFacts, 'findings' | 'shown' | 'comments' | 'later'> {
  const { commit, head, rounds, findings, shown, comments } = given;
  // Of a loop that goes on these stay, and with them what is drawn.
  const { base, start } = given.loop;
  return useMemo(() => {
    if (commit === head) return { findings, shown, comments, later: 0 };
    // Before the rounds have come nobody knows what was when: a finding without its line would be led to at the wrong place.
    if (rounds === undefined) return { findings: NONE, shown: NONE, comments: NONE, later: 0 };
    const lived = { rounds, loop: { base, start } };
    const all = findingsAt(findings, commit, lived);
    return { ...all, shown: findingsAt(shown, commit, lived).findings, comments: commentsAt(comments, commit, lived) };
  }, [base, start, commit, head, rounds, findings, shown, comments]);
}

/** From where to where the server is asked; the newest commit is named, so that a newer one does not slip in. */
function endsOf(range: Range, head: string, look: LastLook | null): { readonly from: string; readonly to: string } {
  if (range === 'seen') return { from: look?.commit ?? 'base', to: head };
  return { from: range.from, to: range.to === 'head' ? head : range.to };
}

/** How long each commit of each loop was read in this tab; short visits add up. */
const readMs = new Map<string, number>();

/** What was seen before this visit; this one is remembered once somebody has read for a while in all. */
function useLastLook(uid: string, head: string): LastLook | null {
  const [before] = useState(() => lookBefore({ browser: localStorage, tab: sessionStorage }, uid, head));
  useEffect(() => {
    const key = `${uid} ${head}`;
    const reading = { page: document, earlierMs: readMs.get(key) ?? 0, enoughMs: READ_MS };
    return countReading(reading, (sum) => {
      readMs.set(key, sum);
      if (sum >= READ_MS) rememberLook(localStorage, uid, { commit: head, at: new Date().toISOString() });
    });
  }, [uid, head]);
  return before;
}
