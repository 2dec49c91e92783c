import type { ProjectTexts } from './guess.ts';
import { readMakefile } from './make.ts';
import { packageScripts } from './node.ts';
import { withoutRunner } from './recognise.ts';

const CALLS_SCRIPTS = /(?:^|[\s"'])(?:npm|pnpm|yarn|bun|npm-run-all|run-[sp]|concurrently|node --run)\s/;
const CALLS_TARGETS = /(?:^|[\s"'])(?:make|\$[({]MAKE[)}])\s/;

/** All single commands that a shell line leads to: itself, then what scripts of package.json and targets of make run for it in their turn. */
export function reach(line: string, texts: ProjectTexts): string[] {
  const scripts = packageScripts(texts);
  const { targets, variables } = readMakefile(texts);
  const found = new Set(commandsIn(line));
  // What is added meanwhile is visited too, and nothing twice, so circles end.
  for (const command of found) {
    const words = [...new Set(command.split(/[\s"'`]+/).map((word) => word.replace(/^npm:/, '')))];
    const values = [...command.matchAll(/\$[({]([\w.-]+)[)}]/g)].map(([, name = '']) => variables.get(name));
    const called = [
      ...(CALLS_SCRIPTS.test(command) ? words.flatMap((word) => scriptTexts(word, scripts)) : []),
      ...(CALLS_TARGETS.test(command) ? words.map((word) => targets.get(word)) : []),
      ...values,
      // Without such a script it is a program of that name.
      /^(?:pnpm|yarn|bun)(?: run)? (.*)/.exec(withoutRunner(command))?.[1],
    ];
    for (const one of called.flatMap((text) => commandsIn(text ?? ''))) found.add(one);
  }
  return [...found];
}

/** Nobody writes a longer command by hand, and some patterns take their time. */
const LONGEST = 2000;

/** The single commands of a shell text, without those that only say something. */
function commandsIn(text: string): string[] {
  return text
    .split(/&&|\|\|?|;|\n| & /)
    .map((part) =>
      part
        .replace(/^[\s@+!({-]+/, '')
        .slice(0, LONGEST)
        .trim(),
    )
    .filter((part) => part !== '' && !/^(?:#|(?:echo|printf) [^$`]*$)/.test(part));
}

/** npm runs the scripts with `pre` and `post` before a name without being asked; `lint:*` calls all that begin so. */
function scriptTexts(word: string, scripts: ReadonlyMap<string, string>): (string | undefined)[] {
  const names = word.endsWith('*') ? [...scripts.keys()].filter((name) => name.startsWith(word.slice(0, -1))) : [word];
  return names.filter((name) => scripts.has(name)).flatMap((name) => [`pre${name}`, name, `post${name}`].map((one) => scripts.get(one)));
}
