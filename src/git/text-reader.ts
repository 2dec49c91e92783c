import type { GitPlace } from './git.ts';
import { gitError, tryGit } from './git.ts';

/** Gives the text of a file of a commit, or null where there is no such file. */
export type TextReader = (commit: string, path: string) => Promise<string | null>;

/** Reads files of commits in a place. All that is asked for in the same moment costs one git process. */
export function textReader(place: GitPlace): TextReader {
  let asked: Question[] = [];
  const answerAll = async (): Promise<void> => {
    const questions = asked;
    asked = [];
    try {
      const texts = await readAll({ ...place, gitDir: place.commonDir, workTree: null }, questions);
      questions.forEach((question, index) => question.resolve(texts[index] ?? null));
    } catch (error) {
      for (const question of questions) question.reject(error);
    }
  };
  return async (commit, path) => {
    if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new Error(`not a commit id: ${commit}`);
    // Git would read a leading dot as relative to its own folder, and no tree has such a path.
    if (path.includes('\0') || /^\.{0,2}(?:\/|$)/.test(path)) return null;
    return await new Promise((resolve, reject) => {
      asked.push({ name: `${commit}:${path}`, resolve, reject });
      if (asked.length === 1) setImmediate(() => void answerAll());
    });
  };
}

type Question = {
  readonly name: string;
  readonly resolve: (text: string | null) => void;
  readonly reject: (error: unknown) => void;
};

async function readAll(place: GitPlace, questions: readonly Question[]): Promise<(string | null)[]> {
  const args = ['cat-file', '--batch', '-z'];
  const result = await tryGit(place, args, { input: questions.map(({ name }) => `${name}\0`).join('') });
  if (result.exitCode !== 0) throw gitError(args, result);
  let at = 0;
  return questions.map(({ name }) => {
    const answer = readAnswer(result.stdout.subarray(at), name);
    at += answer.length;
    return answer.text;
  });
}

/** `id type size`, the content and a newline; or the question and `missing`. A name may hold newlines, so lines are not counted. */
function readAnswer(bytes: Buffer, name: string): { readonly text: string | null; readonly length: number } {
  const missing = Buffer.from(`${name} missing\n`);
  if (bytes.subarray(0, missing.length).equals(missing)) return { text: null, length: missing.length };
  const header = /^[0-9a-f]+ (\w+) (\d+)\n/.exec(bytes.toString('latin1', 0, 120));
  if (header === null) throw new Error(`git cat-file gave no answer for ${name}`);
  const [{ length: start }, type, size] = [header[0], header[1], Number(header[2])];
  return { text: type === 'blob' ? bytes.toString('utf8', start, start + size) : null, length: start + size + 1 };
}
