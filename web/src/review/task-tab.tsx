import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { TaskOutput } from '../../../src/core/task-output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { counted } from '../../../src/core/words.ts';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { usd } from '../ui/usd.ts';
import { Facts } from './fact-list.tsx';
import type { Fact } from './fact-list.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { Words } from './words.tsx';

/** What was asked for, who does it, and within which limits. */
export function TaskTab({ loop, task }: { readonly loop: LoopView; readonly task: TaskOutput | undefined }): JSX.Element {
  return (
    <ScrollArea label="Task" className="px-4 pb-6 [scrollbar-gutter:stable]">
      <Words text={task?.task.text ?? loop.task.text} />
      {task?.task.story == null ? null : <Part title="Story" text={task.task.story} />}
      {task?.task.plan == null ? null : <Part title="Plan" text={task.task.plan} />}
      <Section title="Who">
        <Facts tight facts={rolesOf(loop)} />
      </Section>
      <Section title="What">
        <Facts tight facts={kindFacts(loop, task)} />
      </Section>
      {task === undefined ? null : (
        <Section title="Within these limits">
          <Facts tight facts={limitFacts(loop, task)} />
        </Section>
      )}
      {loop.notes.length === 0 ? null : (
        <Section title="Notes">
          <ul className="grid gap-1 text-small text-fg-2">
            {loop.notes.map((note) => (
              <li key={note}>
                <Plain text={note} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </ScrollArea>
  );
}

function Part({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-small font-semibold">{title}</summary>
      <Words text={text} />
    </details>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <section className="mt-4">
      <h3 className="mb-1 text-small font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function agent(name: string, role: 'writes' | 'reviews'): ReactNode {
  return (
    <span key={name} className="mr-2 inline-flex items-center gap-1.5 align-middle">
      <Tile agent={name} role={role} />
      <Plain text={name} />
    </span>
  );
}

function rolesOf({ roles, card }: LoopView): readonly Fact[] {
  return [
    ...(card.author === null ? [] : [{ name: 'Author', value: agent(card.author, 'writes') }]),
    { name: roles.reviewer.length > 1 ? 'Panel' : 'Reviewer', value: <>{roles.reviewer.map((name) => agent(name, 'reviews'))}</> },
    ...(card.fixer === null ? [] : [{ name: 'Fixer', value: agent(card.fixer, 'writes') }]),
    ...(roles.arbiter === null ? [] : [{ name: 'Arbiter', value: agent(roles.arbiter, 'reviews') }]),
    ...(roles.fallback.length === 0 ? [] : [{ name: 'Fallback', value: <>{roles.fallback.map((name) => agent(name, 'reviews'))}</> }]),
  ];
}

function loops(ids: readonly number[]): ReactNode {
  return ids.map((id) => (
    <Link key={id} to="/loop/$id" params={{ id: String(id) }} className="mr-2 underline underline-offset-2">
      #{id}
    </Link>
  ));
}

function kindFacts(loop: LoopView, task: TaskOutput | undefined): readonly Fact[] {
  const { kind, ref, group, dependsOn, follows } = loop.task;
  return [
    { name: 'Kind', value: kind === 'review' ? 'Review of a change that exists' : 'Build and review' },
    { name: 'Branch', value: <Plain text={loop.branch} />, mono: true },
    ...(task === undefined
      ? []
      : [{ name: 'Base', value: <Plain text={`${task.base.ref} ${task.base.commit.slice(0, 7)}`} />, mono: true }]),
    ...(ref === null ? [] : [{ name: 'Reference', value: <Plain text={ref} /> }]),
    ...(group === null ? [] : [{ name: 'Run', value: <Plain text={group} /> }]),
    ...(dependsOn.length === 0 ? [] : [{ name: 'Depends on', value: <>{loops(dependsOn)}</> }]),
    ...(follows === null ? [] : [{ name: 'Follows', value: <>{loops([follows])}</> }]),
    ...(loop.imported === null ? [] : [{ name: 'Imported', value: <Plain text={`by ${loop.imported.by}`} /> }]),
  ];
}

function limitFacts(loop: LoopView, task: TaskOutput): readonly Fact[] {
  const { policy, gates, commitHooks, autoIterate } = task.settings;
  const names = [...gates.map(({ name }) => name), ...(commitHooks.length === 0 ? [] : ['commit hooks'])];
  return [
    { name: 'Rounds', value: counted(loop.maxRounds, 'at most', 'at most') },
    { name: 'Ceiling', value: loop.spend.ceilingUsd === null ? 'none' : usd(loop.spend.ceilingUsd) },
    {
      name: 'Blocks from',
      value: `${policy.blockAt}${policy.convergence === 'ratchet' ? ', later rounds only what is new or was firm' : ''}`,
    },
    ...(loop.roles.reviewer.length > 1 ? [{ name: 'Quorum', value: policy.quorum }] : []),
    { name: 'Depth', value: policy.depth },
    { name: 'Gates', value: names.length === 0 ? 'none' : <Plain text={names.join(', ')} /> },
    { name: 'By itself', value: `${task.autoReview ? 'reviews' : 'does not review'}, ${autoIterate ? 'iterates' : 'does not iterate'}` },
    { name: 'Sandbox', value: task.settings.requireSandbox ? 'required' : 'where there is one' },
  ];
}
