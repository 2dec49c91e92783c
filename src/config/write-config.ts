import { BUILTIN } from '../core/settings.ts';
import type { GuessedGates, SetupGuess } from './guess-gates.ts';

/** An agent of this machine that a configuration could name. */
export type AgentHere = {
  readonly name: string;
  readonly version: string | null;
  /** Why it can play no role yet; null if it can. */
  readonly obstacle: string | null;
};

/** What is known about a project when its configuration is written. */
export type ConfigDraft = {
  readonly agents: readonly AgentHere[];
  readonly gates: GuessedGates;
  readonly setup: readonly SetupGuess[];
  /** The line by which editors find the schema of the file; null where there is none that everybody has. */
  readonly modeline: string | null;
  /** The project has a `.env` that git ignores, so that a checkout has none. */
  readonly hasEnvFile: boolean;
};

/** The text of a first `volley.yaml`: what was found is set, what else could stand there is a comment. */
export function writeConfig(draft: ConfigDraft): string {
  const sections = [
    [
      ...(draft.modeline === null ? [] : [draft.modeline]),
      '# How Volley works in this repository. Every line may go: what is not said has a default.',
      SEE,
    ],
    [
      '# Who plays which role: an agent, or any program that reads a prompt on its standard input.',
      'agents:',
      ...aligned(agentLines(draft)),
    ],
    ['roles:', ...aligned(roleLines(draft))],
    [
      '# Must pass before every review, quick ones first. A shell line each; what is red goes to the fixer.',
      'gates:',
      ...aligned(gateLines(draft)),
    ],
    ['# Loops work in fresh checkouts, never in your folder.', 'checkout:', ...aligned(checkoutLines(draft))],
    ['policy:', ...aligned(POLICY)],
    [
      '# What `volley add` queues: you order each review and each improve (manual), or they follow by themselves (auto).',
      'taskTypes:',
      ...aligned(TASK_TYPES),
    ],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** A line of the file, and the remark behind it. */
type Line = readonly [code: string, remark: string];

const SEE = '# `volley config show` lists every setting; `volley doctor --gates` tries this file in a fresh checkout.';

const POLICY: readonly Line[] = [
  ['maxRounds: 3', 'reviews before you are asked; one fix fewer'],
  ['blockAt: medium', 'the mildest finding that blocks: critical, high, medium, low or suggestion'],
  ['# ceiling: { loop: 2.50 }', 'the most dollars that one loop may spend; none unless you say so'],
];

const TASK_TYPES: readonly Line[] = [
  ['# implement: { autoReview: true, model: opus, reviewModel: sonnet, timeout: 60m }', 'auto mode, as `volley add -a`'],
  ['# improve: { timeout: 30m }', 'a fix that you order'],
];

function agentLines({ agents }: ConfigDraft): Line[] {
  const known = agents.map(({ name, version, obstacle }): Line => {
    const entry = `${name}: { driver: ${name} }`;
    const found = `found here${version === null ? '' : `, ${version}`}`;
    return obstacle === null ? [entry, found] : [`# ${entry}`, `${found}; ${obstacle}`];
  });
  return [...known, ['# mine: { driver: command, run: ["bash", "scripts/agent.sh"] }', 'any program of yours']];
}

/** Two different agents are better than one that reviews itself. */
function roleLines({ agents }: ConfigDraft): Line[] {
  const usable = agents.filter(({ obstacle }) => obstacle === null).map(({ name }) => name);
  const [author, other = author] = usable;
  const role = (name: string, agent: string | undefined, otherwise: string): string =>
    agent === undefined ? `# ${name}: ${otherwise}` : `${name}: ${agent}`;
  return [
    [role('author', author, 'mine'), 'makes what `volley run` asks for; `volley review` needs none'],
    [role('reviewer', other, BUILTIN), `reads every change with fresh eyes; without a name: ${BUILTIN}`],
    [role('fixer', author, BUILTIN), `answers findings and red gates; without a name: the author, else ${BUILTIN}`],
  ];
}

function gateLines({ gates: { gates, more } }: ConfigDraft): Line[] {
  const all: Line[] = [
    ...gates.map(({ run, from }): Line => [`- ${scalar(run)}`, from.join(', ')]),
    ...more.map(({ run, from, doubt }): Line => [`# - ${scalar(run)}`, `${from.join(', ')}${doubt === null ? '' : `; ${doubt}`}`]),
  ];
  return all.length > 0 ? all : [['# - npm test', 'write here how this project is tested']];
}

function checkoutLines({ setup, hasEnvFile }: ConfigDraft): Line[] {
  const sure = setup.every(({ doubt }) => doubt === null);
  const run = scalar(setup.map((part) => part.run).join(' && '));
  const reasons = setup.map(({ from, doubt }) => (doubt === null ? from : `${from}; ${doubt}`)).join(', ');
  const why = 'a fresh checkout holds only what is committed';
  const line: Line =
    setup.length === 0
      ? ['# setup: ./setup.sh', `runs once in each checkout: ${why}`]
      : [`${sure ? '' : '# '}setup: ${run}`, `${reasons}; runs once in each checkout`];
  return [
    line,
    ...(hasEnvFile
      ? [['# copy: [.env]', 'git ignores your .env, so no checkout has it; agents and gates could read the copy'] as const]
      : []),
  ];
}

/** Remarks begin in one column, and behind it where a line is too long for that. */
const REMARK_COLUMN = 34;

function aligned(lines: readonly Line[]): string[] {
  const width = Math.max(0, ...lines.map(([code]) => code.length).filter((length) => length <= REMARK_COLUMN));
  return lines.map(([code, remark]) => `  ${code.padEnd(width)}  # ${remark}`);
}

/** A command as YAML reads it back: plain where that is safe, else quoted as JSON, which is YAML too. */
function scalar(text: string): string {
  return /^[A-Za-z./][\w./ &-]*$/.test(text) ? text : JSON.stringify(text);
}
