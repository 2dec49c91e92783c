import { existsSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApp } from '../../app.ts';
import type { Flags } from '../../app.ts';
import { makeSample } from '../../app-sample.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Finding } from '../../core/finding.ts';
import type { Loop } from '../../core/loop.ts';
import { shellWord } from '../../core/words.ts';
import { refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { canAsk, driveLoop, INTERRUPTED, stopOnSignals } from '../drive.ts';
import { clean, columns, oneLine, paint } from '../print.ts';
import { printHeading, progressPrinter } from '../progress.ts';
import { requestFor } from '../review-request.ts';

type Story = {
  readonly branch: string;
  readonly title: string;
  readonly typed: string;
  readonly fix: boolean;
  readonly flags: Flags;
  /** How it ended, in words; null if it did not end as the story goes. */
  lesson(end: Loop): string | null;
};

const STORIES: readonly Story[] = [
  {
    branch: 'refunds',
    title: 'A feature with ten defects. The built-in reviewer finds them, the built-in fixer mends them.',
    typed: 'volley review --branch refunds --fix',
    fix: true,
    flags: {},
    lesson: ({ state, rounds, findings }) => {
      const fixed = findings.filter(({ status }) => status === 'fixed').length;
      return state === 'approved'
        ? `Approved in round ${rounds.length}: ${fixed} defects are fixed, the tests passed before and after, and the proof names the commit.`
        : null;
    },
  },
  {
    branch: 'webhooks',
    title: 'A feature whose defects need thought. What has an exact fix is mended, about the rest a person is asked.',
    typed: 'volley review --branch webhooks --fix',
    fix: true,
    flags: {},
    lesson: ({ escalation }) =>
      escalation?.reason === 'needs-discussion'
        ? 'Waits for you: nothing is guessed. Fix it by hand, give it to another agent, accept or cancel.'
        : null,
  },
  {
    branch: 'export',
    title: 'A reviewer that says yes without looking. Its word is no proof, so nothing is approved.',
    typed: 'volley review --branch export --reviewer rubber-stamp',
    fix: false,
    flags: { reviewer: 'rubber-stamp' },
    lesson: ({ escalation, approval }) =>
      escalation?.reason === 'no-verdict' && approval === null
        ? 'Not approved: a printed "APPROVED" is text, and text cannot approve. You are asked instead.'
        : null,
  },
];

/** `volley demo`: three loops on a sample project, without a model, a key or a network. */
export const command: Command = {
  usage: 'demo',
  options: {},
  run: async (typed, io) => {
    refuseWords(typed, 'demo');
    const stop = stopOnSignals(io);
    try {
      const dir = await makeProject();
      io.out(paint(io, 'bold', 'Three review loops on a sample project: no model, no key, no network.'));
      io.out('');
      io.out(`The project is a small ticket shop with tests, made for you in ${dir}`);
      io.out('Its branches refunds, webhooks and export wait for a review.');
      io.object({ type: 'demo', v: 1, dir });
      const code = await tell(dir, io, stop.signal);
      stop.release();
      return code === INTERRUPTED || !canAsk(io) ? code : await serve(dir, code, io);
    } finally {
      stop.release();
    }
  },
};

/** Whoever watched at a terminal can go on in a browser. */
async function serve(dir: string, code: number, io: Io): Promise<number> {
  const { serveUntilStopped } = await import('../serve-project.ts');
  const app = await openApp({ cwd: dir, report: progressPrinter(io) });
  try {
    io.out('');
    await serveUntilStopped(app, { port: null, allowedHosts: [], slots: 2, newToken: false }, io);
    return code;
  } finally {
    await app.close();
  }
}

async function tell(dir: string, io: Io, signal: AbortSignal): Promise<number> {
  const lessons: (string | null)[] = [];
  for (const [index, story] of STORIES.entries()) {
    io.out('');
    io.out(paint(io, 'bold', `${index + 1}. ${story.title}`));
    io.out(`   ${paint(io, 'dim', '$')} ${paint(io, 'cyan', story.typed)}`);
    io.out('');
    const end = signal.aborted ? null : await play(dir, story, { io, signal });
    if (end === null || signal.aborted) return INTERRUPTED;
    lessons.push(story.lesson(end));
  }
  io.out('');
  io.out('What happened');
  lessons.forEach((lesson, index) =>
    io.out(`  ${index + 1}  ${lesson ?? 'It did not end as it should on this machine; its last lines above say why.'}`),
  );
  for (const line of ['', ...nextSteps(dir)]) io.out(line);
  return lessons.includes(null) ? 1 : 0;
}

async function makeProject(): Promise<string> {
  if (!existsSync(tmpdir()))
    throw new VolleyError(
      'not-accessible',
      `There is no folder ${tmpdir()} for temporary files.`,
      'Make it, or set TMPDIR to one that exists.',
    );
  const from = (name: string): string => fileURLToPath(new URL(`../../../examples/demo/${name}/`, import.meta.url));
  const dir = join(await realpath(await mkdtemp(join(tmpdir(), 'volley-demo-'))), 'box-office');
  await makeSample(dir, {
    from: from('box-office'),
    message: 'Sell tickets',
    branches: [
      { name: 'refunds', from: from('refunds'), message: 'Pay orders back' },
      { name: 'webhooks', from: from('webhooks'), message: 'Tell partners about orders' },
      { name: 'export', from: from('export'), message: 'Export orders for the accountants' },
    ],
  });
  return dir;
}

type Watched = { readonly io: Io; readonly signal: AbortSignal };

async function play(dir: string, { branch, fix, flags }: Story, { io, signal }: Watched): Promise<Loop> {
  const app = await openApp({ cwd: dir, report: progressPrinter(io) });
  try {
    const loop = await app.start(requestFor({ kind: 'branch', branch, base: null }, { fix, flags }));
    if (loop === null) throw new Error('the sample has nothing to review');
    printHeading(loop, io);
    await driveLoop(app, loop, { io, signal, before: async (end) => await Promise.resolve(tellFindings(end, io)) });
    return await app.load(loop.id);
  } finally {
    await app.close();
  }
}

/** What was found and what became of it, one line each. */
function tellFindings({ findings, rounds }: Loop, io: Io): void {
  if (rounds.length === 0) return;
  const rows = findings.map((finding) => [
    `    ${stands(finding, io)}`,
    finding.severity,
    clean(`${finding.file ?? ''}:${finding.line ?? ''}`),
    oneLine(finding.description, Math.max(40, io.width - 40)),
  ]);
  for (const line of ['  Found:', ...columns(rows)]) io.out(line);
}

function stands({ status, resolution }: Finding, io: Io): string {
  if (status === 'fixed') return paint(io, 'green', '✓ fixed');
  if (resolution?.status === 'fixed') return paint(io, 'green', '~ changed, not reviewed again yet');
  return paint(io, 'yellow', resolution?.status === 'needs_person' ? '✗ needs a person' : '✗ open');
}

/** From a checkout there is no command `volley` yet, so it gets one. */
function nextSteps(dir: string): string[] {
  const bin = fileURLToPath(new URL('../../../bin/volley.js', import.meta.url));
  const alias = import.meta.url.endsWith('.ts') ? [`  alias volley=${shellWord(`${shellWord(process.execPath)} ${shellWord(bin)}`)}`] : [];
  return [
    'Look around',
    ...alias,
    `  cd ${shellWord(dir)}`,
    '  volley show 1                    the story of a task; also: why, findings, diff, log',
    '  ls .volley/reviews               every review as a document, with its proof as JSON',
    '  volley land 1                    bring the approved branch home',
    '',
    'In your own repository',
    '  volley review --working-tree     what is wrong with what you have not committed',
    '  volley init                      what was found there, and a volley.yaml with your agents and gates',
    '  volley hook install              review every push before it leaves',
    '',
    `The sample lies in ${dirname(dir)}; remove that folder when you are done.`,
  ];
}
