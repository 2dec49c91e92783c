import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { writeObject } from './copy-objects.ts';
import { readPlainFile } from './file-error.ts';
import type { GitPlace } from './git.ts';
import type { Identity } from './project.ts';
import { treeOf } from './refs.ts';

/** Who made a commit. */
export type Author = Pick<Identity, 'name' | 'email'>;

/** All that a commit consists of. */
export type CommitDraft = {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly identity: Author;
  readonly at: Date;
};

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** Writes a commit into an object folder and gives its id; no process, no hook and no config take part. */
export async function writeCommit(objects: string, draft: CommitDraft): Promise<string> {
  const body = commitText(draft);
  const object = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const id = createHash(draft.tree.length === 64 ? 'sha256' : 'sha1')
    .update(object)
    .digest('hex');
  await writeObject(join(objects, id.slice(0, 2), id.slice(2)), await compress(object));
  return id;
}

/** The tree of a commit; without a process where the commit is a file of its own, as those are that the engine made. */
export async function treeOfCommit(place: GitPlace, commit: string): Promise<string> {
  const bytes = await readPlainFile(join(place.commonDir, 'objects', commit.slice(0, 2), commit.slice(2))).catch(() => null);
  if (bytes === null) return await treeOf(place, commit);
  const tree = /^commit \d+\0tree ([0-9a-f]+)\n/.exec((await decompress(bytes)).toString('latin1'))?.[1];
  return tree ?? (await treeOf(place, commit));
}

/** A message followed by its trailers, as git expects them: a last paragraph of `Key: value` lines. */
export function withTrailers(message: string, trailers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${oneLine(value)}`);
  const text = message.replaceAll('\0', '').trim();
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`;
}

/** An identity and a moment as git writes them into a commit. */
export function signature({ name, email }: Author, at: Date): string {
  const offset = -at.getTimezoneOffset();
  const clock = `${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  return `${plain(name)} <${plain(email)}> ${Math.floor(at.getTime() / 1000)} ${offset < 0 ? '-' : '+'}${clock}`;
}

function commitText({ tree, parents, message, identity, at }: CommitDraft): Buffer {
  const who = signature(identity, at);
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`];
  return Buffer.from(`${head.join('\n')}\n\n${message}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function plain(text: string): string {
  return oneLine(text.replaceAll(/[<>\0]/g, ''));
}
