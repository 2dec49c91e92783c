import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeShowcase } from './make-showcase.ts';
import { HUGE } from './stories/huge.ts';
import { STORIES } from './stories.ts';

const [folder = '', which = 'board'] = process.argv.slice(2);
if (folder === '') {
  process.stderr.write('usage: node test/showcase/main.ts FOLDER [board|huge]\n');
  process.exit(1);
}
await mkdir(resolve(folder), { recursive: true });
const root = await makeShowcase({
  folder: resolve(folder),
  stories: which === 'huge' ? HUGE : STORIES,
  now: new Date(),
  tell: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`${root}\n`);
