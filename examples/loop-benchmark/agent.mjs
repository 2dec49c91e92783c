#!/usr/bin/env node
// An agent that follows the script of a scenario:  node agent.mjs SCENARIO.json AGENT STATEDIR
// The prompt comes on standard input, the working folder is the checkout, the result goes to $VOLLEY_RESULT.
// It counts its own starts in STATEDIR and plays the turn of that number; the last turn repeats.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const [scenarioFile = '', agent = '', stateDir = ''] = process.argv.slice(2);
const scenario = JSON.parse(readFileSync(scenarioFile, 'utf8'));
const prompt = await text(process.stdin);
const turn = turnOf(scenario, agent, nextCall());

for (const change of [...(turn.edit ?? []), ...(turn.tamper ?? [])]) edit(filled(change));
writeResult();
if (turn.print !== undefined) await print(`${filled(whole(turn.print))}\n`);
if (turn.echoPrompt) await print(prompt);
for (let printed = 0; printed < (turn.printMegabytes ?? 0); printed += 1) await print('.'.repeat(1024 * 1024));
if (turn.hang) setInterval(() => undefined, 60_000);
process.exitCode = turn.exit ?? 0;

function turnOf({ agents }, name, call) {
  const entry = agents[name];
  const turns = Array.isArray(entry) ? entry : (entry?.turns ?? []);
  const played = turns[Math.min(call, turns.length) - 1];
  if (played === undefined) fail(`the scenario has no turn for ${name}`);
  return played;
}

/** A folder can be made only once, so two starts at the same time never play the same turn. */
function nextCall() {
  mkdirSync(stateDir, { recursive: true });
  for (let call = 1; ; call += 1) {
    try {
      mkdirSync(join(stateDir, `${agent}-${call}`));
      return call;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function edit({ path, text: content, replace, delete: isDeleted }) {
  if (isDeleted) return rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  if (content !== undefined) return writeFileSync(path, whole(content));
  const before = readFileSync(path, 'utf8');
  const [from, to] = replace;
  // A script that no longer fits its files must not look like a fixer that does nothing.
  if (!before.includes(from)) fail(`${path} does not hold: ${from}`);
  writeFileSync(
    path,
    before.replace(from, () => to),
  );
}

/** Tokens are told by a rule that is the same for every tool: four characters are one. */
function writeResult() {
  const file = process.env.VOLLEY_RESULT;
  if (turn.resultText !== undefined) writeFileSync(file, filled(whole(turn.resultText)));
  if (turn.result === undefined) return;
  const result = filled(turn.result);
  const tokens = { inputTokens: Math.ceil(prompt.length / 4), outputTokens: Math.ceil(JSON.stringify(result).length / 4) };
  const usage = turn.usage === null ? {} : { usage: { ...tokens, ...turn.usage } };
  writeFileSync(file, JSON.stringify({ ...result, ...usage }));
}

/** A value with the placeholders in its texts filled in. */
function filled(value) {
  if (typeof value === 'string') return value.replace(/\{\{(\w+)(?: (\d+))?\}\}/g, (_, name, number) => placeholder(name, number));
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part)]));
}

function placeholder(name, number) {
  const { VOLLEY_TASK, VOLLEY_ROUND, VOLLEY_NONCE, VOLLEY_BASE, VOLLEY_HEAD } = process.env;
  // A made-up key of a known shape; in one piece it would be taken for a real one wherever this file lies.
  const secret = ['AKIA', 'QZ3T', '7Y2M', 'N5XW', 'K6PD'].join('');
  const values = { task: VOLLEY_TASK, round: VOLLEY_ROUND, nonce: VOLLEY_NONCE, base: VOLLEY_BASE, head: VOLLEY_HEAD, secret };
  if (name === 'finding') return `${VOLLEY_TASK}.${number}`;
  return values[name] ?? fail(`there is no placeholder ${name}`);
}

function whole(content) {
  return Array.isArray(content) ? content.map((line) => `${line}\n`).join('') : content;
}

async function print(chunk) {
  if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

function fail(why) {
  process.stderr.write(`${agent} cannot play its turn: ${why}\n`);
  process.exit(70);
}
