import type { ChangeFile } from '../../../src/core/change-view.ts';
import { nounFor } from '../../../src/core/words.ts';

/** A file of a change as the panel knows it; in a loop's change it says how many findings lie in it. */
export type DiffFile = ChangeFile & { readonly openFindings?: number; readonly blockingFindings?: number };

/** A file whose patch has no lines, or none that are shown: why; null where there is something to read. */
export function whyNoLines(file: DiffFile): string | null {
  if (file.binary) return 'binary, not shown as text';
  if (file.submodule || file.added + file.removed > 0 || file.status === 'typechanged') return null;
  if (file.status === 'added' || file.status === 'deleted') return 'empty';
  return file.oldBlob === file.newBlob ? 'no line changed' : 'only whitespace differs, hidden';
}

/** What kind of change a file has gone through, in words; nothing where some of its lines changed, which is the usual. */
export function kindWords(file: DiffFile): readonly string[] {
  const words: string[] = [];
  if (file.status === 'added') words.push('new');
  if (file.status === 'deleted') words.push('deleted');
  if (file.status === 'copied') words.push(`copied from ${file.oldPath ?? 'another file'}`);
  if (file.status === 'renamed') words.push(`renamed from ${file.oldPath ?? 'another file'}`);
  if (file.submodule) words.push('submodule');
  else if (file.symlink) words.push(file.status === 'typechanged' ? typeWords(file) : 'symbolic link');
  else if (hasBoth(file) && file.oldMode !== file.newMode) words.push(modeWords(file));
  if (file.generated !== null) words.push(file.generated);
  const why = whyNoLines(file);
  if (why !== null) words.push(why);
  return words;
}

/** Where the files of a list start folded, and that all of it is there; null where nothing is folded and the list is short. */
export function foldedWords(files: readonly DiffFile[]): { readonly lead: string; readonly rest: string } | null {
  const folded = files.filter((file) => startsFolded(file)).length;
  if (folded === 0 && files.length < MANY_FILES) return null;
  const sum = (key: 'added' | 'removed'): number => files.reduce((total, file) => total + file[key], 0);
  return {
    lead: `${many(files.length, 'file')}, +${grouped(sum('added'))} −${grouped(sum('removed'))}.`,
    rest: `${folded === 0 ? 'None' : many(folded, 'generated file')} ${folded === 1 ? 'starts' : 'start'} folded; nothing is left out.`,
  };
}

/** Whether nobody reads a file unless they want to. */
export function startsFolded(file: DiffFile): boolean {
  return file.generated !== null;
}

/** From so many files on people are told what they have before them. */
const MANY_FILES = 300;

/** The two parts of a path: the folder, and the name that is read first. */
export function pathParts(path: string): readonly [folder: string, name: string] {
  const cut = path.lastIndexOf('/') + 1;
  return [path.slice(0, cut), path.slice(cut)];
}

function hasBoth({ oldMode, newMode }: DiffFile): boolean {
  return oldMode !== NO_MODE && newMode !== NO_MODE;
}

const NO_MODE = '000000';
const EXECUTABLE = '100755';
const LINK = '120000';

function modeWords({ oldMode, newMode }: DiffFile): string {
  if (newMode === EXECUTABLE) return 'made executable';
  if (oldMode === EXECUTABLE) return 'no longer executable';
  return `mode ${oldMode} to ${newMode}`;
}

function typeWords({ newMode }: DiffFile): string {
  return newMode === LINK ? 'now a symbolic link' : 'was a symbolic link';
}

function many(n: number, noun: string): string {
  return `${grouped(n)} ${nounFor(n, noun)}`;
}

/** A number as people write it: 150,000. It is needed so often that the language's own way is too slow. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
