import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, JSX } from 'react';
import { useConnection } from '../api/live.ts';
import { asking } from '../api/queries.ts';
import { useLoops } from '../board/loops.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextArea, TextField } from '../ui/field.tsx';
import { usd } from '../ui/money.tsx';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { ceilingMistake } from './ceiling.ts';
import { Concerned } from './concerned.tsx';
import type { Concern } from './concerned.tsx';
import { deedName } from './deed.ts';
import type { Need, Said } from './deed.ts';
import { MovedNote } from './moved-note.tsx';
import { isAsLookedAt, offeredNow } from './moved.ts';
import { carryOut, dismiss, dismissDone, goOnWith, propose, useAsked } from './propose.ts';
import type { Proposal } from './propose.ts';
import { forgetUnsent, keepUnsent, unsentOf } from './unsent.ts';
import { useMoved } from './use-moved.ts';
import { askingOf, passesBlocking } from './words.ts';

/** The dialog before whatever cannot be undone or needs more words; there is one on the page. */
export function DecisionDialog(): JSX.Element | null {
  const { asked } = useAsked();
  const [first] = asked?.proposals ?? [];
  if (asked === null || first === undefined) return null;
  if (asked.proposals.length > 1) return <Which title={asked.title ?? 'What should happen?'} proposals={asked.proposals} />;
  return <One key={`${first.loop} ${first.label}`} proposal={first} />;
}

/** Which of several moves is meant: each with what it does. */
function Which({ title, proposals }: { readonly title: string; readonly proposals: readonly Proposal[] }): JSX.Element {
  return (
    <Dialog title={title} onClose={dismiss}>
      <ul className="mt-3 grid gap-1">
        {proposals.map((proposal) => (
          <li key={proposal.label}>
            <button
              type="button"
              className="block w-full rounded-2 px-3 py-2 text-left hover:bg-selected"
              onClick={() => {
                dismiss();
                propose(proposal);
              }}
            >
              <b>
                <Plain text={proposal.label} />
              </b>
              <span className="block text-small text-fg-3">
                <Plain text={proposal.does} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function needOf({ deed }: Proposal): Need {
  return deed.kind === 'choice' ? deed.needs : null;
}

function One({ proposal }: { readonly proposal: Proposal }): JSX.Element {
  const { seen, now, moved } = useMoved(proposal);
  const [said, show] = useState<Said>(() => ({
    ...(proposal.raiseToUsd == null ? {} : { ceilingUsd: proposal.raiseToUsd }),
    ...unsentOf(proposal),
  }));
  const setSaid = (words: Said): void => {
    keepUnsent(proposal, words);
    show(words);
  };
  const { isSending, turnedAway, send } = useSending(proposal, said);
  const need = needOf(proposal);
  const asks = askingOf(proposal.deed, { blocking: seen?.blocking ?? 0 });
  const question = need === 'reason' ? (seen?.card?.question ?? null) : null;
  const hasMoved = !isSending && (moved || turnedAway === proposal);
  const newest = now === undefined || isAsLookedAt(now, proposal) ? null : now;
  const offered = newest === null ? null : offeredNow(proposal, newest);
  return (
    // What is under way is not taken back by looking away.
    <Dialog title={question ?? asks.title} lead={asks.lead} onClose={() => (isSending ? undefined : dismiss())}>
      {hasMoved ? <MovedNote now={newest} isOffered={offered !== null} /> : null}
      {passesBlocking(proposal.deed) && (seen?.blocking ?? 0) > 0 ? <Concerned loop={proposal.loop} which={BLOCKING} /> : null}
      {deedName(proposal.deed) === 'refute' ? <Concerned loop={proposal.loop} which={DISPUTED} /> : null}
      <form className="mt-4 grid gap-4" onSubmit={(event) => void send(event)}>
        <Asked proposal={proposal} said={said} onSaid={setSaid} />
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Standing loop={proposal.loop} canSend={!hasMoved} />
          {hasMoved ? (
            <MovedActs offered={offered} />
          ) : (
            <>
              <Button disabled={isSending} onClick={dismiss}>
                {asks.keep}
              </Button>
              <Act disabled={isSending || isShort(need, said, now?.spendUsd ?? null)}>
                {isSending ? 'Sending…' : actWords(asks.act, said, now?.spendUsd ?? null)}
              </Act>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** A button says an amount only where it can be had. */
function actWords(act: string, { ceilingUsd }: Said, spentUsd: number | null): string {
  return ceilingUsd === undefined || ceilingMistake(ceilingUsd, spentUsd) !== null ? act : `Raise to ${usd(ceilingUsd)}`;
}

/** Sends what was decided; `turnedAway` is what the server did not take because the loop moved on, which it knows first. */
function useSending(
  proposal: Proposal,
  said: Said,
): {
  readonly isSending: boolean;
  readonly turnedAway: Proposal | null;
  readonly send: (event: FormEvent) => Promise<void>;
} {
  const [isSending, setIsSending] = useState(false);
  const [turnedAway, setTurnedAway] = useState<Proposal | null>(null);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const outcome = await carryOut(proposal, said);
    setIsSending(false);
    if (outcome === 'moved-on') setTurnedAway(proposal);
    if (outcome !== 'done') return;
    forgetUnsent(proposal);
    dismissDone(proposal);
  };
  return { isSending, turnedAway, send };
}

/** In whose name it is sent, or why it cannot be. */
function Standing({ loop, canSend }: { readonly loop: number; readonly canSend: boolean }): JSX.Element {
  const offline = useConnection(({ state }) => state === 'offline');
  return (
    <span className="flex-1 text-small text-fg-3">{offline && canSend ? 'Not connected. Your words are kept.' : `#${loop}, as you`}</span>
  );
}

const BLOCKING: Concern = { blocking: true };
const DISPUTED: Concern = { status: 'disputed' };

function Act({ disabled, children }: { readonly disabled: boolean; readonly children: string }): JSX.Element {
  const offline = useConnection(({ state }) => state === 'offline');
  return (
    <Button kind="primary" type="submit" disabled={disabled || offline}>
      {children}
    </Button>
  );
}

/** Whoever has seen that it moved on leaves it, or goes on where the same is still offered. */
function MovedActs({ offered }: { readonly offered: Proposal | null }): JSX.Element {
  return (
    <>
      <Button onClick={dismiss}>Close</Button>
      {offered === null ? null : (
        <Button kind="primary" onClick={() => goOnWith(offered)}>
          Go on with it as it is now
        </Button>
      )}
    </>
  );
}

/** The fields for what has to be named, or may be said, beside a deed. */
function Asked({
  proposal,
  said,
  onSaid,
}: {
  readonly proposal: Proposal;
  readonly said: Said;
  readonly onSaid: (said: Said) => void;
}): JSX.Element {
  const spentUsd = useLoops(({ loops }) => loops.get(proposal.loop)?.spendUsd ?? null);
  const need = needOf(proposal);
  const { reason } = askingOf(proposal.deed, { blocking: 0 });
  return (
    <>
      {need === 'agent' ? <AgentPick loop={proposal.loop} value={said.agent} onPick={(agent) => onSaid({ ...said, agent })} /> : null}
      {need === 'ceilingUsd' ? <Ceiling spentUsd={spentUsd} said={said} onSaid={onSaid} /> : null}
      {proposal.deed.kind === 'land' ? (
        <Field name="Branch" note="Left empty: where the change was taken from.">
          <TextField value={said.onto ?? ''} maxLength={500} onChange={({ target }) => onSaid({ ...said, onto: target.value })} />
        </Field>
      ) : null}
      {reason === null ? null : (
        <Field name={reason}>
          <TextArea
            required={need === 'reason'}
            maxLength={20_000}
            value={said.reason ?? ''}
            onChange={(event) => onSaid({ ...said, reason: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}

/** Whether something is missing that the choice cannot do without. */
function isShort(need: Need, { agent, ceilingUsd, reason = '' }: Said, spentUsd: number | null): boolean {
  if (need === 'agent') return agent === undefined;
  if (need === 'ceilingUsd') return ceilingUsd === undefined || ceilingMistake(ceilingUsd, spentUsd) !== null;
  return need === 'reason' && reason.trim() === '';
}

function Ceiling({
  spentUsd,
  said,
  onSaid,
}: {
  readonly spentUsd: number | null;
  readonly said: Said;
  readonly onSaid: (said: Said) => void;
}): JSX.Element {
  const mistake = ceilingMistake(said.ceilingUsd, spentUsd);
  const spent = spentUsd === null ? {} : { note: `${usd(spentUsd)} is spent.` };
  return (
    <Field name="Ceiling in dollars" {...(mistake === null ? spent : { note: <span className="text-failed">{mistake}</span> })}>
      <TextField
        type="number"
        inputMode="decimal"
        min={0}
        step={0.01}
        value={said.ceilingUsd ?? ''}
        onChange={({ target }) => {
          const { ceilingUsd: _old, ...rest } = said;
          onSaid(target.value === '' ? rest : { ...rest, ceilingUsd: target.valueAsNumber });
        }}
      />
    </Field>
  );
}

function AgentPick({
  loop,
  value,
  onPick,
}: {
  readonly loop: number;
  readonly value: string | undefined;
  readonly onPick: (agent: string) => void;
}): JSX.Element {
  const { data, error } = useQuery(asking('readChoices', { params: { id: loop } }));
  if (error !== null)
    return (
      <p className="text-failed">
        <Plain text={error.message} />
      </p>
    );
  return (
    <fieldset className="grid min-h-10 gap-0.5">
      <legend className="sr-only">Agents</legend>
      {data?.agents.map((agent) => (
        <label
          key={agent}
          className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-2 px-2 hover:bg-selected has-checked:bg-selected has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input type="radio" name="agent" className="accent-ink" checked={value === agent} onChange={() => onPick(agent)} />
          <Tile agent={agent} role="writes" />
          <Plain text={agent} />
        </label>
      ))}
    </fieldset>
  );
}
