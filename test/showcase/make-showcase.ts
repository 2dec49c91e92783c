import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commentOnLoop, decideLoop, openApp, overrideLoop } from '../../src/app.ts';
import type { App, Progress } from '../../src/app.ts';
import { bareGit, gitError } from '../../src/git/git.ts';
import type { Loop } from '../../src/core/loop.ts';
import { plainTask } from '../../src/core/task.ts';
import type { Story, StoryWord } from './story.ts';

/** Where a showcase lies, and what is played in it. */
export type Showcase = {
  /** Gets the project `payments-api`, and beside it the agents. */
  readonly folder: string;
  readonly stories: readonly Story[];
  /** The time that the stories end at; ages are counted back from it. */
  readonly now: Date;
  readonly tell?: (line: string) => void;
};

const AGENTS = ['claude', 'codex', 'gemini', 'opencode'];

/** Makes the project and plays the stories in it: real loops with real commits, gates and proofs; only the agents follow a script. */
export async function makeShowcase({ folder, stories, now, tell = () => undefined }: Showcase): Promise<string> {
  const root = join(folder, 'payments-api');
  const agents = join(folder, 'payments-agents');
  await Promise.all([root, agents].map(async (path) => await rm(path, { recursive: true, force: true })));
  await mkdir(join(agents, 'stories'), { recursive: true });
  await cp(join(import.meta.dirname, 'agent.mjs'), join(agents, 'agent.mjs'));
  await makeProject(root, agents, now);
  const stop: { when: (progress: Progress) => void } = { when: () => undefined };
  const app = await openApp({ cwd: root, report: (progress) => stop.when(progress) });
  try {
    for (const [index, story] of stories.entries()) {
      await writeFile(join(agents, 'stories', `${index + 1}.json`), JSON.stringify({ turns: story.turns }));
      setClock(app, story, now);
      const loop = await play({ app, stories, stop, root }, story);
      tell(`${loop.id}. ${story.title}: ${loop.state}${loop.escalation === null ? '' : ` (${loop.escalation.reason})`}`);
    }
  } finally {
    await app.close();
  }
  return root;
}

type Stage = {
  readonly app: App;
  readonly stories: readonly Story[];
  readonly stop: { when: (progress: Progress) => void };
  readonly root: string;
};

async function play(stage: Stage, story: Story): Promise<Loop> {
  const { app } = stage;
  const loop = await start(stage, story);
  if (story.until === 'start') return loop;
  const engine = { ...app.engine };
  // A bug of ours, as it would end a loop: what was journalled before it is kept.
  if (story.breaks !== undefined) Object.assign(app.engine, { runGate: async () => await Promise.reject(new Error(story.breaks)) });
  await driveUntil(stage, loop.id, story.until);
  Object.assign(app.engine, engine);
  for (const word of story.words ?? []) await speak(stage, loop.id, word);
  if (story.lands === true) await app.land(await app.load(loop.id), { onto: null, signal: new AbortController().signal });
  return await app.load(loop.id);
}

async function start({ app, stories }: Stage, story: Story): Promise<Loop> {
  const { title, text, author, reviewer, fixer, maxRounds, ceilingUsd, group = null, dependsOn = [], branch } = story;
  const kind = branch === undefined ? 'implement' : 'review';
  const task = plainTask({
    kind,
    title,
    text: text === undefined ? title : `${title}\n\n${text}`,
    source: branch === undefined ? { kind: 'authored' } : { kind: 'branch', branch },
    group,
    dependsOn: dependsOn.map((name) => stories.findIndex((other) => other.title === name) + 1),
    ...(kind === 'review' ? { fix: fixer !== undefined } : {}),
  });
  const flags = {
    ...(author === undefined ? {} : { author }),
    ...(reviewer === undefined ? {} : { reviewer: reviewer.join(',') }),
    ...(fixer === undefined ? {} : { fixer }),
    ...(maxRounds === undefined ? {} : { maxRounds: String(maxRounds) }),
    ...(ceilingUsd === undefined ? {} : { ceiling: String(ceilingUsd) }),
  };
  const change = branch === undefined ? ({ kind: 'authored', base: null } as const) : ({ kind: 'branch', branch, base: null } as const);
  const loop = await app.start({ change, task, flags, autoReview: story.autoReview ?? true });
  if (loop?.id !== stories.indexOf(story) + 1) throw new Error(`${title} is not the loop that its agents expect`);
  return loop;
}

/** Drives a loop until it rests, or until the step is done behind which a server is to go on. */
async function driveUntil({ app, stop }: Stage, id: number, until: Story['until']): Promise<void> {
  const controller = new AbortController();
  const [type, round] = until?.split('-') ?? [];
  stop.when = (progress) => {
    if (progress.type !== 'journal' || progress.loop.id !== id || progress.entry.event.type !== type) return;
    if (round === undefined || progress.loop.rounds.length === Number(round)) controller.abort();
  };
  await app.drive([id], controller.signal);
  stop.when = () => undefined;
}

async function speak(stage: Stage, id: number, word: StoryWord): Promise<void> {
  const { app } = stage;
  const by = app.person.name;
  switch (word.do) {
    case 'uphold':
      await decideLoop(app.engine, id, { choice: 'uphold', by, reason: word.reason, agent: null, ceilingUsd: null });
      return await driveUntil(stage, id, undefined);
    case 'cancel':
      await overrideLoop(app.engine, id, { override: 'cancel', by, reason: word.reason });
      return await driveUntil(stage, id, undefined);
    case 'comment': {
      const text = (await app.readFiles(await app.load(id), [word.file])).get(word.file) ?? '';
      const line = text.split('\n').findIndex((one) => one.includes(word.at)) + 1;
      await commentOnLoop(app.engine, id, { by, file: word.file, line, text: word.text, asks: false });
    }
  }
}

const STEP_MS = 9000;

/** Each look at the clock is some seconds later than the one before, until the story has ended as long ago as it says. */
function setClock(app: App, { minutesAgo }: Story, now: Date): void {
  const endMs = now.getTime() - minutesAgo * 60_000;
  let atMs = endMs - 14 * 60_000;
  Object.assign(app.engine, {
    now: () => {
      atMs = Math.min(atMs + STEP_MS, Math.max(endMs, atMs + 1));
      return new Date(atMs).toISOString();
    },
  });
}

const PEOPLE = [
  { name: 'Grace Okafor', email: 'grace@payments.example' },
  { name: 'Maintainer', email: 'maintainer@example.com' },
];

const HISTORY: readonly { readonly message: string; readonly paths: readonly string[]; readonly daysAgo: number }[] = [
  { message: 'Begin', paths: ['README.md', 'package.json', 'package-lock.json', 'src/db.ts', 'src/http'], daysAgo: 210 },
  { message: 'Double entry, in minor units', paths: ['src/ledger', 'test/ledger'], daysAgo: 180 },
  {
    message: 'Charge through the acquirer',
    paths: ['src/acquirer', 'src/charges', 'test/charges', 'migrations/0040_charges.sql'],
    daysAgo: 140,
  },
  { message: 'Sign webhooks', paths: ['src/webhooks'], daysAgo: 96 },
  { message: 'Remember what was answered', paths: ['src/idempotency', 'migrations/0041_responses.sql'], daysAgo: 61 },
  { message: 'List disputes, the most urgent first', paths: ['src/disputes', 'docs'], daysAgo: 33 },
  { message: 'Check every module before a request does', paths: ['.'], daysAgo: 9 },
];

async function makeProject(root: string, agents: string, now: Date): Promise<void> {
  await cp(join(import.meta.dirname, 'project'), root, { recursive: true });
  await writeFile(join(root, 'volley.yaml'), configText(agents));
  const git = gitIn(root);
  await git('init', '--quiet', '--initial-branch=main', '.');
  await git('config', 'user.name', 'Maintainer');
  await git('config', 'user.email', 'maintainer@example.com');
  await git('config', 'commit.gpgSign', 'false');
  for (const [index, { message, paths, daysAgo }] of HISTORY.entries()) {
    await git('add', '--', ...paths);
    await gitIn(root, PEOPLE[index % 2], new Date(now.getTime() - daysAgo * 86_400_000))('commit', '--quiet', '-m', message);
  }
  await makeBranch(root, now);
}

/** A branch that somebody wrote by hand, for a review and for the panel without a loop. */
async function makeBranch(root: string, now: Date): Promise<void> {
  const git = gitIn(root, PEOPLE[0], new Date(now.getTime() - 3_600_000));
  await git('switch', '--quiet', '--create', 'payouts');
  await mkdir(join(root, 'src/payouts'));
  await writeFile(join(root, 'src/payouts/schedule.ts'), PAYOUTS);
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Pay out every night');
  await git('switch', '--quiet', 'main');
}

const PAYOUTS = `import type { Db } from '../db.ts';

export type Payout = { readonly account: string; readonly amount: number; readonly currency: string };

/** What is paid out tonight: all that has settled, by account. */
export async function tonight(db: Db, today: Date): Promise<readonly Payout[]> {
  const rows = await db.all("select account, currency, sum(amount) as amount from settled where day < '" + today.toISOString() + "' group by 1, 2");
  return rows.map((row) => ({ account: row['account'], amount: Number(row['amount']), currency: row['currency'] }));
}
`;

function configText(agents: string): string {
  const entry = (name: string): string =>
    `  ${name}: { driver: command, run: [node, ${JSON.stringify(join(agents, 'agent.mjs'))}, ${name}]${name === 'gemini' ? ', price: { input: 1.25, output: 10.00 }' : ''} }`;
  return [
    'agents:',
    ...AGENTS.map(entry),
    'roles: { author: claude, reviewer: [codex], fixer: claude, fallback: [gemini] }',
    'gates:',
    '  - { name: lint, run: "node scripts/lint.mjs" }',
    '  - { name: types, run: "node scripts/load.mjs" }',
    '  - { name: test, run: "node --test \'test/**/*.test.ts\'" }',
    'policy:',
    '  ceiling: { loop: 3.00, day: 100.00 }',
    '  timeouts: { author: 12h, review: 12h, fix: 12h, idle: 12h }',
    '',
  ].join('\n');
}

type Git = (...args: readonly string[]) => Promise<void>;

function gitIn(cwd: string, person = PEOPLE[1], at: Date | null = null): Git {
  const dates = at === null ? {} : { GIT_AUTHOR_DATE: at.toISOString(), GIT_COMMITTER_DATE: at.toISOString() };
  const who =
    person === undefined
      ? {}
      : {
          GIT_AUTHOR_NAME: person.name,
          GIT_AUTHOR_EMAIL: person.email,
          GIT_COMMITTER_NAME: person.name,
          GIT_COMMITTER_EMAIL: person.email,
        };
  return async (...args) => {
    const result = await bareGit(args, { cwd, env: { ...who, ...dates } });
    if (result.exitCode !== 0) throw gitError(args, result);
  };
}
