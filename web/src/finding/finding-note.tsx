import type { JSX, ReactNode } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import type { Severity } from '../../../src/core/finding.ts';
import { Markdown } from '../ui/markdown.tsx';
import { Plain } from '../ui/plain.tsx';
import { evidenceFor } from './evidence.ts';
import type { Shown } from './evidence.ts';
import { FindingHead } from './finding-head.tsx';
import { useFindingLife } from './finding-life.ts';
import { firstSentence } from './first-sentence.ts';
import { Patch } from './patch.tsx';
import { Sentence } from './sentence.tsx';
import { storyOf } from './story.ts';
import { Thread } from './thread.tsx';
import { Trace } from './trace.tsx';
import { Well } from './well.tsx';
import { seenText } from '../ui/hidden-characters.ts';

const RULES: Readonly<Record<Severity, string>> = {
  critical: '[--rule:var(--critical)]',
  high: '[--rule:var(--high)]',
  medium: '[--rule:var(--medium)]',
  low: '[--rule:var(--low)]',
  suggestion: '[--rule:var(--suggestion)]',
};

/** How a note looks that is a note, and one that is being read. */
const LOOKS = {
  quiet: 'bg-note shadow-[inset_2px_0_0_var(--rule)]',
  current: 'bg-raised shadow-[inset_4px_0_0_var(--rule)]',
} as const;

/** What is told of a finding: the note, and where it is shown. */
export type FindingNoteProps = {
  readonly loop: LoopView;
  readonly finding: FindingOutput;
  /** Whether it is the one that the address names. */
  readonly current: boolean;
};

/** A finding, whole: a note that hangs from its lines by a coloured rule. */
export function FindingNote({ loop, finding, current }: FindingNoteProps): JSX.Element {
  const life = useFindingLife(loop, finding, true);
  const { first, rest } = firstSentence(finding.description);
  const evidence = evidenceFor(finding, life.reviews);
  return (
    <article
      id={`finding-${finding.id}`}
      // Reached by the buttons that go from finding to finding.
      tabIndex={-1}
      aria-label={`Finding ${finding.id}, ${finding.severity}: ${seenText(first)}`}
      aria-current={current ? 'true' : undefined}
      className={`relative border-y border-line py-3 pr-5 pl-[18px] font-sans text-body whitespace-normal text-fg-2 focus-visible:outline-offset-[-2px] max-sm:px-4 ${RULES[finding.severity]} ${current ? LOOKS.current : LOOKS.quiet}`}
    >
      <div className="max-w-[820px]">
        <FindingHead loop={loop.id} finding={finding} />
        <h3 className="my-1 text-lead font-semibold tracking-tight text-pretty text-fg [overflow-wrap:anywhere] max-sm:text-title">
          <Sentence text={first} />
        </h3>
        {rest === '' ? null : <Markdown text={rest} />}
        <Snippet finding={finding} />
        <Impact finding={finding} />
        {evidence.map((one, index) => (
          <Well key={index} label={evidenceLabel(one, finding)} text={one.output} lead={<Command text={one.command} />} />
        ))}
        <Labelled label="Suggestion" text={finding.suggestion} />
        {life.patch === null ? null : <Patch patch={life.patch} file={finding.file} {...knownProblem(life.patchProblem)} />}
        <Trace story={storyOf(finding, life.history, loop.needsYou)} />
        <Flags flags={finding.flags} />
        <Also words={finding.also} />
        <Thread loop={loop} finding={finding} history={life.history} />
      </div>
    </article>
  );
}

function evidenceLabel({ sandboxed, agent, round }: Shown, { lastRound }: FindingOutput): string {
  const when = round === lastRound ? '' : ` in round ${round}`;
  return `Evidence · ${sandboxed ? `ran in the sandbox${when}` : `${agent} ran this${when}`}`;
}

function knownProblem(problem: string | null | undefined): { readonly problem?: string | null } {
  return problem === undefined ? {} : { problem };
}

function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <span className="block text-fg">
      $ <Plain text={text} />
    </span>
  );
}

/** The lines that it was raised on, where they are not there any more. */
function Snippet({ finding: { anchor, snippet, lastRound } }: { readonly finding: FindingOutput }): JSX.Element | null {
  if (snippet === null || anchor === 'exact' || anchor === 'moved') return null;
  return <Well label={`Quoted · as it was in round ${lastRound}`} text={snippet} />;
}

/** What it leads to; of a gate that is what it printed, which is no Markdown. */
function Impact({ finding: { source, impact } }: { readonly finding: FindingOutput }): ReactNode {
  if (source !== 'gate') return <Labelled label="Impact" text={impact} />;
  return impact === null || impact.trim() === '' ? null : <Well label="The end of what it printed" text={impact} />;
}

function Labelled({ label, text }: { readonly label: string; readonly text: string | null }): ReactNode {
  if (text === null || text.trim() === '') return null;
  return (
    <div className="mt-2 grid grid-cols-[74px_minmax(0,1fr)] items-baseline max-sm:grid-cols-1">
      <b className="text-small font-medium text-fg-3">{label}</b>
      <Markdown text={text} />
    </div>
  );
}

/** What a person should know about how it was read. */
function Flags({ flags }: { readonly flags: readonly string[] }): JSX.Element | null {
  if (flags.length === 0) return null;
  return (
    <ul className="mt-1.5 text-small text-fg-3">
      {flags.map((flag) => (
        <li key={flag}>
          Read with care: <Plain text={flag} />
        </li>
      ))}
    </ul>
  );
}

/** Other words in which reviewers put it. */
function Also({ words }: { readonly words: readonly string[] }): JSX.Element | null {
  if (words.length === 0) return null;
  return (
    <details className="mt-1.5 text-small text-fg-3">
      <summary className="w-fit cursor-pointer rounded-1 hover:text-fg">
        {words.length === 1 ? 'Said in other words too' : `Said in ${words.length} other ways too`}
      </summary>
      <ul className="mt-1 grid gap-1 border-l-2 border-line pl-3 text-base text-fg-2">
        {words.map((one, index) => (
          <li key={index}>
            <Markdown text={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}
