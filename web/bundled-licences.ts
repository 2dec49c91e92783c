import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Plugin } from 'vite';

/** What belongs to the app without being imported by any of its modules: the ground that the styles stand on. */
const UNSEEN = ['tailwindcss'];

const UNDERSTOOD = /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0)$/i;

/**
 * Writes `licenses.txt` with the licence of every package that is part of what is built, as most of them ask for; where a package
 * comes without the text, its kind. One that names none, or one that nobody has thought about, fails the build.
 */
export function bundledLicences(root: string): { readonly forApp: Plugin; readonly forWorkers: () => Plugin } {
  const homes = new Set(UNSEEN.map((name) => join(root, 'node_modules', name)));
  const note = (bundle: Bundle): void => {
    for (const chunk of Object.values(bundle)) {
      const found = 'moduleIds' in chunk ? chunk.moduleIds.map((id) => packageHome(id, root)) : [];
      for (const home of found) if (home !== null) homes.add(home);
    }
  };
  return {
    forApp: {
      name: 'bundled-licences',
      async generateBundle(_options, bundle) {
        note(bundle);
        const licences = await Promise.all([...homes].map(readLicence));
        const source = licences.toSorted((one, other) => one.name.localeCompare(other.name, 'en')).map(chapter);
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: source.join(`\n${'-'.repeat(80)}\n\n`) });
      },
    },
    // Workers are bundled on their own, before the app is.
    forWorkers: () => ({
      name: 'bundled-licences-of-workers',
      generateBundle(_options, bundle) {
        note(bundle);
      },
    }),
  };
}

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never) => unknown>>[1];

/** The folder of the package that a module lies in; null for our own, and for what a plugin made up. */
function packageHome(id: string, root: string): string | null {
  const [path = ''] = id.split('?');
  const isOurs = path.startsWith(`${root}/`) && !path.includes('/node_modules/');
  if (isOurs || !isAbsolute(path)) return null;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    // Some packages have one below their own, which says nothing but how modules are written there.
    if (existsSync(file) && 'version' in JSON.parse(readFileSync(file, 'utf8'))) return folder;
  }
  return null;
}

type Licence = { readonly name: string; readonly version: string; readonly kind: string; readonly text: string };

async function readLicence(home: string): Promise<Licence> {
  const { name = '', version = '', license = '' } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  if (!UNDERSTOOD.test(license)) throw new Error(`the web app bundles ${name}, whose licence is "${license}"`);
  const files = (await readdir(home)).filter((file) => /^(?:licen[cs]e|notice)(?:\.|$)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map(async (file) => await readFile(join(home, file), 'utf8')));
  return { name, version, kind: license, text: texts.join('\n').trim() };
}

function chapter({ name, version, kind, text }: Licence): string {
  return `${name} ${version}\n${kind}\n${text === '' ? '' : `\n${text}\n`}`;
}
