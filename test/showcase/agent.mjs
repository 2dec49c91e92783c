#!/usr/bin/env node
// An agent that plays its turn of a story:  node agent.mjs NAME
// The stories lie beside this file, one for each task. What it does depends on nothing but the task, the role, the round and the checkout.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const [name = ''] = process.argv.slice(2);
const { VOLLEY_TASK: task, VOLLEY_ROLE: role, VOLLEY_ROUND: round, VOLLEY_RESULT: resultFile } = process.env;
await text(process.stdin);
const { turns } = JSON.parse(readFileSync(join(import.meta.dirname, 'stories', `${task}.json`), 'utf8'));
const turn = turns.find(isMine) ?? fail('there is no such turn');

for (const line of turn.say ?? []) process.stdout.write(`${line}\n`);
// Whoever watches sees somebody at work; the session ends when it is stopped.
while (turn.works === true) {
  for (const line of turn.while ?? ['…']) {
    process.stdout.write(`${line}\n`);
    await sleep(turn.pauseMs ?? 4000);
  }
}
for (const [path, content] of Object.entries(turn.write ?? {})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
if (turn.generate !== undefined) generate(turn.generate);
for (const [path, from, to] of turn.replace ?? []) replace(path, from, to);
for (const path of turn.remove ?? []) rmSync(path);
if (turn.result !== undefined) writeFileSync(resultFile, JSON.stringify(resultOf(turn.result)));
process.exitCode = turn.exit ?? 0;

/** Files that differ from one another, with the same words each time. */
function generate({ folder, files, lines }) {
  mkdirSync(folder, { recursive: true });
  for (let file = 0; file < files; file += 1) {
    const rows = Array.from({ length: lines }, (_, line) =>
      line < lines - (lines % 12) ? rowOf(file, line) : `// The end of file ${file + 1}.`,
    );
    writeFileSync(join(folder, `part-${String(file + 1).padStart(4, '0')}.ts`), `${rows.join('\n')}\n`);
  }
}

function rowOf(file, line) {
  const at = file * 100 + line;
  if (line % 12 === 0) return `/** Block ${line / 12 + 1} of file ${file + 1}. */`;
  if (line % 12 === 1) return `export function rate${at}(amount: number, currency = 'EUR'): number {`;
  if (line % 12 === 11) return '}';
  if (line % 12 === 10) return `  return Math.round(base${at - 8} * amount);`;
  return `  const base${at} = ${(at * 7919) % 10_007} / 10_000; // ${['settled', 'pending', 'refunded', 'disputed'][at % 4]} in window ${at % 31}`;
}

/** Iterations of an author, and fixes of red gates, are told apart by what the one before has written. */
function isMine(one) {
  const [first] = Object.entries(one.write ?? {});
  const isDone = role !== 'reviewer' && first !== undefined && existsSync(first[0]) && readFileSync(first[0], 'utf8') === first[1];
  return one.role === role && String(one.round ?? round) === round && (one.agent ?? name) === name && !isDone;
}

function resultOf({ issues, resolutions, ...rest }) {
  return {
    ...rest,
    ...(issues === undefined ? {} : { issues: issues.map(placed) }),
    ...(resolutions === undefined ? {} : { resolutions: resolutions.map(named) }),
  };
}

function named({ finding, places, ...rest }) {
  return {
    findingId: `${task}.${finding}`,
    ...rest,
    ...(places === undefined ? {} : { places: places.map(([file, at]) => ({ file, line: lineOf(file, at) })) }),
  };
}

/** A place is told by the text that stands there, so that a story stays right when its files change. */
function placed({ at, to, becomes, ...issue }) {
  if (at === undefined) return issue;
  const line = lineOf(issue.file, at);
  const lineEnd = to === undefined ? line : lineOf(issue.file, to, line);
  return { ...issue, line, lineEnd, ...(becomes === undefined ? {} : { patch: patchOf(issue.file, [line, lineEnd], becomes) }) };
}

function lineOf(file, wanted, from = 1) {
  const index = linesOf(file).findIndex((line, at) => at + 1 >= from && line.includes(wanted));
  return index < 0 ? fail(`${file} does not hold: ${wanted}`) : index + 1;
}

function patchOf(file, [line, lineEnd], becomes) {
  const lines = linesOf(file);
  const old = lines.slice(line - 1, lineEnd);
  const context = { before: lines.slice(Math.max(0, line - 4), line - 1), after: lines.slice(lineEnd, lineEnd + 3) };
  const start = line - context.before.length;
  const around = context.before.length + context.after.length;
  return [
    `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -${start},${old.length + around} +${start},${becomes.length + around} @@`,
    ...context.before.map((one) => ` ${one}`),
    ...old.map((one) => `-${one}`),
    ...becomes.map((one) => `+${one}`),
    ...context.after.map((one) => ` ${one}`),
    '',
  ].join('\n');
}

function linesOf(file) {
  return readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
}

function replace(path, from, to) {
  const before = readFileSync(path, 'utf8');
  if (!before.includes(from)) fail(`${path} does not hold: ${from}`);
  writeFileSync(
    path,
    before.replace(from, () => to),
  );
}

function fail(why) {
  process.stderr.write(`${name} cannot play its turn as ${role} of task ${task} in round ${round}: ${why}\n`);
  process.exit(70);
}
