import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Answered } from '../../../src/api/contract/client.ts';
import { MOST_ROUNDS } from '../../../src/core/policy.ts';
import { asking } from '../api/queries.ts';
import { FIELD, Field, TextField } from '../ui/field.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { writeDraft } from './task-draft.ts';
import type { TaskDraft } from './task-draft.ts';
import { fieldMistake } from './task-order.ts';
import type { CheckedField } from './task-order.ts';

type Agent = Answered<'listAgents'>['agents'][number];

/** Who does it and within which limits; folded, because the configuration says all of it already. */
export function TaskOptions({ draft }: { readonly draft: TaskDraft }): JSX.Element {
  const { data } = useQuery(asking('listAgents'));
  const agents = data?.agents ?? [];
  return (
    <details className="group/options">
      <summary className="w-fit cursor-pointer rounded-1 text-small text-fg-2 select-none hover:text-fg">
        Agents, rounds and ceiling
      </summary>
      <div className="mt-3 grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        {draft.what === 'implement' ? (
          <>
            <Switch name="Review it when it is built" isOn={!draft.unreviewed} onTurn={(isOn) => writeDraft({ unreviewed: !isOn })} />
            <AuthorPick agents={agents} value={draft.author} />
          </>
        ) : (
          <Switch name="A fixer answers what is found" isOn={draft.fix} onTurn={(fix) => writeDraft({ fix })} />
        )}
        <ReviewerPick agents={agents} chosen={draft.reviewers} />
        <Field name="Rounds" {...noted('rounds', draft.rounds)}>
          <TextField
            type="number"
            min={1}
            max={MOST_ROUNDS}
            placeholder="as configured"
            value={draft.rounds}
            onChange={({ target }) => writeDraft({ rounds: target.value })}
          />
        </Field>
        <Field name="Ceiling in dollars" {...noted('ceiling', draft.ceiling)}>
          <TextField
            type="number"
            min={0}
            step={0.01}
            placeholder="as configured"
            value={draft.ceiling}
            onChange={({ target }) => writeDraft({ ceiling: target.value })}
          />
        </Field>
        <Field name="Run">
          <TextField placeholder="October hardening" value={draft.group} onChange={({ target }) => writeDraft({ group: target.value })} />
        </Field>
        <Field name="After" {...noted('after', draft.after)}>
          <TextField placeholder="#219, #220" value={draft.after} onChange={({ target }) => writeDraft({ after: target.value })} />
        </Field>
      </div>
    </details>
  );
}

/** The note below a field that cannot be taken as it is. */
function noted(field: CheckedField, text: string): { readonly note?: JSX.Element } {
  const mistake = fieldMistake(field, text);
  return mistake === null ? {} : { note: <span className="text-failed">{mistake}</span> };
}

function AuthorPick({ agents, value }: { readonly agents: readonly Agent[]; readonly value: string }): JSX.Element {
  const authors = agents.filter(({ roles }) => roles.includes('author'));
  return (
    <Field name="Author">
      <select className={`${FIELD} h-[30px] coarse:h-11`} value={value} onChange={({ target }) => writeDraft({ author: target.value })}>
        <option value="">as configured</option>
        {authors.map(({ name, problem }) => (
          <option key={name} value={name}>
            {seenText(problem === null ? name : `${name} (${problem})`)}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Switch(given: { readonly name: string; readonly isOn: boolean; readonly onTurn: (isOn: boolean) => void }): JSX.Element {
  const { name, isOn, onTurn } = given;
  return (
    <label className="col-span-full flex items-center gap-2 coarse:min-h-11">
      <input type="checkbox" className="accent-ink" checked={isOn} onChange={({ target }) => onTurn(target.checked)} />
      {name}
    </label>
  );
}

function ReviewerPick({ agents, chosen }: { readonly agents: readonly Agent[]; readonly chosen: readonly string[] }): JSX.Element {
  const reviewers = agents.filter(({ roles }) => roles.includes('reviewer'));
  return (
    <fieldset>
      <legend className="mb-1 text-small text-fg-2">Reviewers{chosen.length === 0 ? ', as configured' : ''}</legend>
      <div className="flex flex-wrap gap-1.5">
        {reviewers.map(({ name, problem }) => (
          <label
            key={name}
            title={problem === null ? undefined : seenText(problem)}
            className="inline-flex h-[30px] cursor-pointer items-center gap-1.5 rounded-2 px-2 text-small shadow-[inset_0_0_0_1px_var(--line-strong)] has-checked:bg-selected has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:h-11"
          >
            <input
              type="checkbox"
              className="sr-only"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                writeDraft({ reviewers: target.checked ? [...chosen, name] : chosen.filter((one) => one !== name) })
              }
            />
            <Tile agent={name} role="reviews" />
            <Plain text={name} />
            {problem === null ? null : <span className="text-warn">!</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
