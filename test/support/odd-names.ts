import type { TestRepository } from './repository.ts';

/** The bytes of a path that is no UTF-8, and what people read instead. */
export const ODD_NAME = { bytes: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x74, 0x73]), text: 'caf\uFFFD.ts' };

/** Another path that people read in the same way. */
export const ODD_TWIN = Buffer.from([0x63, 0x61, 0x66, 0xe8, 0x2e, 0x74, 0x73]);

/** Commits a file whose path is no UTF-8, which not every file system takes; gives the commit's id. */
export async function commitOddName(repository: TestRepository, content: string, name = ODD_NAME.bytes): Promise<string> {
  const blob = (await repository.gitBytes(content, 'hash-object', '-w', '--stdin')).toString().trim();
  const entry = Buffer.concat([Buffer.from(`100644 ${blob}\t`), name, Buffer.from('\0')]);
  await repository.gitBytes(entry, 'update-index', '-z', '--index-info');
  await repository.git('commit', '--quiet', '--message', 'an odd name');
  return await repository.git('rev-parse', 'HEAD');
}
