import { firstOf } from './guess.ts';
import type { Candidate, ProjectTexts } from './guess.ts';

/** What a Makefile says: what each target leads to, as shell lines, and the values of its variables. */
type Makefile = { readonly targets: ReadonlyMap<string, string>; readonly variables: ReadonlyMap<string, string> };

const FILES = ['Makefile', 'makefile', 'GNUmakefile'];

/** The targets of a Makefile that check something. */
export function makeGates(texts: ProjectTexts): Candidate[] {
  const from = firstOf(texts, FILES);
  if (from === undefined) return [];
  const { targets } = readMakefile(texts);
  return ['lint', 'check', 'test'].filter((target) => targets.has(target)).map((target) => ({ run: `make ${target}`, from }));
}

const RULE = /^(?![\t #])([^:=#]+)::?(?!=) *([^=;#]*)(?:;(.*)|#.*)?$/;
const VARIABLE = /^(?:export |override )? *([\w.-]+) *[:?+]{0,2}= *(.*)/;

/** Reads what makes a target: a prerequisite is made first, so it counts as a call of make for it. */
export function readMakefile(texts: ProjectTexts): Makefile {
  const targets = new Map<string, string>();
  const variables = new Map<string, string>();
  let current: readonly string[] = [];
  const add = (line: string): void => {
    for (const target of current) targets.set(target, `${targets.get(target) ?? ''}${line}\n`);
  };
  const text = texts.get(firstOf(texts, FILES) ?? '') ?? '';
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const rule = RULE.exec(line);
    const [, name = '', value = ''] = VARIABLE.exec(line) ?? [];
    if (line.startsWith('\t')) add(line);
    else if (rule !== null) {
      const [, names = '', needs = '', first = ''] = rule;
      current = names.trim().split(/\s+/);
      add(`make ${needs.replaceAll('|', ' ')}\n${first}`);
    } else if (name !== '') variables.set(name, `${variables.get(name) ?? ''} ${value}`);
  }
  return { targets, variables };
}
