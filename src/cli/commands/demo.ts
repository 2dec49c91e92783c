import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApp } from '../../app.ts';
import type { Flags } from '../../app.ts';
import { makeSample } from '../../app-sample.ts';
import type { Finding } from '../../core/finding.ts';
import type { Loop } from '../../core/loop.ts';
import { refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { driveLoop, INTERRUPTED } from '../drive.ts';
import { clean, columns, oneLine, paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { requestFor } from '../review-request.ts';

type Story = { readonly branch: string; readonly title: string; readonly typed: string; readonly fix: boolean; readonly flags: Flags };

const STORIES: readonly Story[] = [
  {
    branch: 'refunds',
    title: 'A new feature with ten defects. The built-in reviewer finds them, the built-in fixer mends them.',
    typed: 'volley review --branch refunds --fix',
    fix: true,
    flags: {},
  },
  {
    branch: 'webhooks',
    title: 'A feature with defects that no rule can mend. The fixer says so, and a person is asked.',
    typed: 'volley review --branch webhooks --fix',
    fix: true,
    flags: {},
  },
  {
    branch: 'export',
    title: 'A reviewer that says yes without looking. Its word is no proof, so nothing is approved.',
    typed: 'volley review --branch export --reviewer rubber-stamp',
    fix: false,
    flags: { reviewer: 'rubber-stamp' },
  },
];

/** `volley demo`: three loops on a sample project, without a model, a key or a network. */
export const command: Command = {
  usage: 'demo',
  options: {},
  run: async (typed, io) => {
    refuseWords(typed, 'demo');
    const dir = await makeProject();
    io.out(paint(io, 'bold', 'Three review loops on a sample project: no model, no key, no network.'));
    io.out('');
    io.out(`The project is a small ticket shop with tests, made for you in ${dir}`);
    io.out('Its branches refunds, webhooks and export wait for a review.');
    const ends: Loop[] = [];
    for (const [index, story] of STORIES.entries()) {
      io.out('');
      io.out(paint(io, 'bold', `${index + 1}. ${story.title}`));
      io.out(`   ${paint(io, 'dim', '$')} ${paint(io, 'cyan', story.typed)}`);
      io.out('');
      const { code, end } = await play(dir, story, io);
      if (code === INTERRUPTED) return code;
      ends.push(end);
    }
    for (const line of ['', ...lesson(ends), '', ...nextSteps(dir)]) io.out(line);
    return 0;
  },
};

async function makeProject(): Promise<string> {
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

async function play(dir: string, { branch, fix, flags }: Story, io: Io): Promise<{ readonly code: number; readonly end: Loop }> {
  const app = await openApp({ cwd: dir, report: progressPrinter(io) });
  try {
    const loop = await app.start(requestFor({ kind: 'branch', branch, base: null }, { fix, flags }));
    if (loop === null) throw new Error('the sample has nothing to review');
    io.out(paint(io, 'bold', `Task ${loop.id}: ${loop.task.title}`));
    const code = await driveLoop(app, loop, { io, before: async (end) => await Promise.resolve(tellFindings(end, io)) });
    return { code, end: await app.load(loop.id) };
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
    oneLine(finding.description, 76),
  ]);
  for (const line of ['  Found:', ...columns(rows)]) io.out(line);
}

function stands({ status, resolution }: Finding, io: Io): string {
  if (status === 'fixed') return paint(io, 'green', '✓ fixed');
  if (resolution?.status === 'fixed') return paint(io, 'green', '~ changed, not reviewed again yet');
  return paint(io, 'yellow', resolution?.status === 'needs_person' ? '✗ needs a person' : '✗ open');
}

function lesson([first, second, third]: readonly Loop[]): string[] {
  const fixed = first?.findings.filter(({ status }) => status === 'fixed').length ?? 0;
  return [
    'What happened',
    `  1  ${first?.state === 'approved' ? 'Approved' : 'Not approved'} in round ${first?.rounds.length ?? 0}: ${fixed} defects were fixed, the tests passed after each fix, and the proof names the commit.`,
    `  2  ${second?.escalation === null ? 'Ended' : 'Waits for you'}: what has no exact fix is not guessed at. You fix it, answer, accept or cancel.`,
    `  3  ${third?.approval === null ? 'Not approved' : 'Approved'}: a printed "APPROVED" is text, and text cannot approve. You are asked instead.`,
  ];
}

/** From a checkout there is no command `volley` yet; the alias works with whatever Node the machine has. */
function nextSteps(dir: string): string[] {
  const checkout = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
  const alias = import.meta.url.endsWith('.ts') ? [`  alias volley='npm --silent --prefix ${checkout} start --'`] : [];
  return [
    'Look around',
    ...alias,
    `  cd ${dir}`,
    '  volley show 1                    the story of a task; also: why, findings, diff, log',
    '  ls .volley/reviews               every review as a document, with its proof as JSON',
    '  volley land 1                    bring the approved branch home',
    '',
    'In your own repository',
    '  volley review --working-tree     what is wrong with what you have not committed',
    '  volley init                      what was found there, and a volley.yaml with your agents and gates',
    '  volley hook install              review every push before it leaves',
  ];
}
