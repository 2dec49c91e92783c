import { samplePath } from './sample-patch.ts';

const WIDE_FILES = 1_500;
const STATEMENTS = 26;
const LONG_STATEMENTS = 5_000;

/** The files of a wide change as they are before it or after it: 1,500 of them, of which some 150,000 lines differ. */
export function wideFiles(side: 'old' | 'new'): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: WIDE_FILES }, (_, n) => [samplePath(n), code(n, STATEMENTS, side)]));
}

/** One long file of 30,000 lines, of which some 14,000 differ. */
export function longFile(side: 'old' | 'new'): Readonly<Record<string, string>> {
  return { 'src/long.ts': code(0, LONG_STATEMENTS, side) };
}

/** Code of many shapes; every third statement is written anew by the change, and every ninth is only in it. */
function code(file: number, statements: number, side: 'old' | 'new'): string {
  return Array.from({ length: statements }, (_, n) => {
    if (n % 9 === 8) return side === 'old' ? '' : statement(file, n, 'added');
    return statement(file, n, n % 3 === 1 ? side : 'kept');
  }).join('');
}

function statement(file: number, n: number, word: string): string {
  const name = `${word}${file}_${n}`;
  return [
    `/** Gives the ${word} value of ${n}, or what was asked for. */`,
    `export async function ${name}(input: readonly string[], limit = ${n * 17}): Promise<Result<number>> {`,
    `  const found = input.filter((one) => one.length > ${n % 7} && one !== '${word}');`,
    `  if (found.length > limit) throw new RangeError(\`too many: \${found.length} of ${word}\`);`,
    `  return { kind: '${word}', value: found.reduce((sum, one) => sum + one.length, ${n}) };`,
    '}',
    '',
  ].join('\n');
}
