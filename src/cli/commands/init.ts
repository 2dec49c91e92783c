import type { Suggestion, Writing } from '../../app-init.ts';
import { hasFlag, refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { clean, columns, paint } from '../print.ts';
import { printCheck } from '../print-check.ts';

/** `volley init`: a first configuration, made of what the project says about itself. */
export const command: Command = {
  usage: 'init [--force]',
  options: { force: { type: 'boolean', help: 'write volley.yaml anew; the old one is kept as volley.yaml.bak' } },
  run: async (typed, io) => {
    refuseWords(typed, 'init [--force]');
    const { suggestConfig, writeSuggestion } = await import('../../app-init.ts');
    const suggestion = await suggestConfig(io.cwd);
    tellFound(suggestion, io);
    const writing = await writeSuggestion(suggestion, { force: hasFlag(typed, 'force') });
    tellWriting(suggestion, writing, io);
    const next = nextSteps(suggestion, writing);
    io.out('');
    io.out('Next:');
    for (const line of columns(next.map(([step, why]) => [`  ${step}`, paint(io, 'dim', why)]))) io.out(line);
    io.object({ ...summary(suggestion, writing), next: next.map(([step]) => step) });
    return 0;
  },
};

function tellFound(suggestion: Suggestion, io: Io): void {
  const { checks } = suggestion;
  io.out('Found:');
  for (const { name, text } of checks.filter(({ status }) => status === 'ok')) io.out(`  ${label(name)}${clean(text)}`);
  for (const line of columns(
    foundRows(suggestion).map(([what, found, from]) => [`  ${label(what)}${clean(found)}`, paint(io, 'dim', clean(from))]),
  ))
    io.out(line);
  for (const check of checks) if (io.json || check.status !== 'ok') printCheck(check, io);
  for (const gate of suggestion.gates.gates) io.object({ type: 'gate', v: 1, ...gate, active: true });
  for (const gate of suggestion.gates.more) io.object({ type: 'gate', v: 1, ...gate, active: false });
}

function label(what: string): string {
  return what.padEnd('commit hooks  '.length);
}

type Row = readonly [what: string, found: string, from: string];

function foundRows({ agents, gates: { gates, more }, setup }: Suggestion): Row[] {
  const none: Row = ['gate', 'none', 'no file at the root that can be read says how this project is tested'];
  return [
    ...agents.map((agent): Row => ['agent', `${agent.title}${agent.version === null ? '' : ` (${agent.version})`}`, agentState(agent)]),
    ...gates.map(({ run, from }): Row => ['gate', run, from.join(', ')]),
    ...more.map(({ run, from, doubt }): Row => [
      '(gate)',
      run,
      `${from.join(', ')}; left as a comment${doubt === null ? '' : `: ${doubt}`}`,
    ]),
    ...(gates.length + more.length === 0 ? [none] : []),
    ...setup.map(({ run, from, doubt }): Row =>
      doubt === null ? ['set-up', run, from] : ['(set-up)', run, `${from}; left as a comment: ${doubt}`],
    ),
  ];
}

function agentState({ name, own, roles, usable, problem, login }: Suggestion['agents'][number]): string {
  const state = own
    ? `comes with Volley; can be ${roles.join(' and ')}`
    : usable
      ? `found, ${login?.by === 'none' ? `not logged in: volley login ${name}` : (login?.text ?? 'ready')}`
      : 'found; its driver is not in this version yet';
  return problem === null ? state : `${state}; ${problem}`;
}

function tellWriting({ text }: Suggestion, writing: Writing, io: Io): void {
  io.out('');
  switch (writing.kind) {
    case 'written':
      io.out(paint(io, 'green', `✓ volley.yaml is written${writing.keptAs === null ? '' : `; the old one is ${writing.keptAs}`}`));
      return;
    case 'same':
      io.out('volley.yaml is already as it would be written.');
      return;
    case 'exists':
      io.out('volley.yaml exists and is left as it is. With --force this would be written, and the old one kept as volley.yaml.bak:');
      io.out('');
      for (const line of text.trimEnd().split('\n')) io.out(`  ${line}`.trimEnd());
  }
}

type Step = readonly [step: string, why: string];

function nextSteps({ repository, agents, gates }: Suggestion, writing: Writing): Step[] {
  const first: Step = ['git add . && git commit', 'loops start from a commit'];
  const commit: Step = [`git add ${repository.toRoot}volley.yaml && git commit`, 'so that every loop works by it'];
  const look: Step =
    gates.gates.length === 0
      ? ['volley doctor', 'tells what is missing']
      : ['volley doctor --gates', 'tries the gates in a fresh checkout'];
  const able = agents.filter(({ own, usable }) => usable && !own);
  const ready = able.some(({ login }) => login?.by !== 'none');
  const begin: Step = ready
    ? ['volley run "what you want"', 'builds it, reviews it, fixes it']
    : ['volley review --working-tree', 'reviews what you have not committed'];
  const login = ready ? [] : able.slice(0, 1).map(({ name }): Step => [`volley login ${name}`, 'once, so that it can play a role']);
  if (repository.started === null) return [first, look, ...login, begin];
  return [look, ...(writing.kind === 'written' ? [commit] : []), ...login, begin];
}

function summary({ repository, agents, setup, text }: Suggestion, writing: Writing): object {
  return {
    type: 'init',
    v: 1,
    file: `${repository.workTree}/volley.yaml`,
    outcome: writing.kind,
    keptAs: writing.kind === 'written' ? writing.keptAs : null,
    agents,
    setup,
    text,
  };
}
