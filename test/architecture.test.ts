import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { runCommand } from './support/run-command.ts';

type Plant = { readonly file: string; readonly text: string; readonly rule: string | null };

const root = join(import.meta.dirname, '..');
const fence = 'eslint(no-restricted-imports)';
const leafText = 'export const leaf = 1;\nexport type Leaf = number;\n';

const families = ['agents', 'confine', 'dispatch', 'forge', 'gates', 'git', 'notify', 'store'];
const interfaces = [
  'agents/agent.ts',
  'confine/confinement.ts',
  'dispatch/dispatcher.ts',
  'forge/forge.ts',
  'gates/gate.ts',
  'git/workspace.ts',
  'notify/notifier.ts',
  'store/store.ts',
];
const family = ['core/leaf.ts', 'lib/leaf.ts', 'zod', 'node:fs/promises'];
const door = [...family, 'engine/leaf.ts'];

/** The table of STYLE.md section 2: what the files of a folder may import as values from outside of it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: ['zod'],
  lib: ['zod', 'node:fs/promises'],
  ...Object.fromEntries(families.map((name) => [name, family])),
  store: [...family, 'kysely'],
  config: [...family, 'yaml'],
  engine: family,
  api: door,
  mcp: door,
  cli: [...family, 'app.ts', 'app-config.ts', 'api/contract.ts'],
};
const folders = Object.keys(mayImport);
const modules = [
  ...folders.map((folder) => `${folder}/leaf.ts`),
  ...interfaces,
  'git/git.ts',
  'api/contract.ts',
  'app.ts',
  'app-config.ts',
  'index.ts',
];
const packages = ['zod', 'yaml', 'kysely', 'fast-check', 'node:fs/promises', 'node:child_process'];

/** Every folder importing every module and package, from its top and from a folder below; `rule` is null where the table allows it. */
const directions: readonly Plant[] = folders.flatMap((folder) =>
  [...modules, ...packages]
    .filter((target) => dirname(target) !== folder)
    .flatMap((target) => {
      const rule = mayImport[folder]?.includes(target) === true ? null : fence;
      const name = `takes-${target.replaceAll(/[^a-z]+/g, '-')}.ts`;
      return [
        { file: `src/${folder}/${name}`, text: importing(target, '..'), rule },
        { file: `src/${folder}/below/${name}`, text: importing(target, '../..'), rule },
      ];
    }),
);

/** What the table says about a folder itself, types, tests, single files and `web`. */
const particulars: readonly Plant[] = [
  ...folders.map((folder) => ({ file: `src/${folder}/takes-its-own.ts`, text: importing('leaf.ts', '.'), rule: null })),
  ...folders.map((folder) => ({ file: `src/${folder}/below/takes-its-own.ts`, text: importing('leaf.ts', '..'), rule: null })),
  ...interfaces.map((target) => ({ file: `src/engine/types-of-${dirname(target)}.ts`, text: importingType(target, '..'), rule: null })),
  ...families.map((name) => ({
    file: `src/engine/perform/inside-${name}.ts`,
    text: importingType(`${name}/leaf.ts`, '../..'),
    rule: fence,
  })),
  {
    file: 'src/engine/inline-type.ts',
    text: "import { type Leaf } from '../store/store.ts';\nexport type Seen = Leaf;\n",
    rule: 'typescript(no-import-type-side-effects)',
  },
  { file: 'src/dispatch/transaction.ts', text: importingType('store/store.ts', '..'), rule: null },
  { file: 'src/dispatch/inside-store.ts', text: importingType('store/leaf.ts', '..'), rule: fence },
  { file: 'src/dispatch/inside-agents.ts', text: importingType('agents/agent.ts', '..'), rule: fence },
  { file: 'src/dispatch/with-store.test.ts', text: importing('store/leaf.ts', '..'), rule: null },
  { file: 'src/core/types.ts', text: importingType('lib/leaf.ts', '..'), rule: fence },
  {
    file: 'src/core/annotation.ts',
    text: "export type Seen = import('../lib/leaf.ts').Leaf;\n",
    rule: 'typescript(consistent-type-imports)',
  },
  { file: 'src/core/roundabout.ts', text: importing('core/../agents/leaf.ts', '..'), rule: fence },
  { file: 'src/core/dynamic.ts', text: "export const load = () => import('../agents/leaf.ts');\n", rule: fence },
  { file: 'src/core/hands-on.ts', text: "export { leaf } from '../agents/leaf.ts';\n", rule: fence },
  { file: 'src/core/support.ts', text: importing('test/support/leaf.ts', '../..'), rule: fence },
  { file: 'src/core/support.test.ts', text: importing('test/support/leaf.ts', '../..'), rule: null },
  { file: 'src/core/files.test.ts', text: importing('node:fs/promises', '..'), rule: null },
  { file: 'src/core/properties.test.ts', text: importing('fast-check', '..'), rule: null },
  { file: 'src/core/family.test.ts', text: importing('agents/leaf.ts', '..'), rule: fence },
  { file: 'src/git/family.test.ts', text: importing('store/leaf.ts', '..'), rule: fence },
  { file: 'src/engine/fakes.test.ts', text: importing('agents/leaf.ts', '..'), rule: null },
  { file: 'src/engine/door.test.ts', text: importing('cli/leaf.ts', '..'), rule: fence },
  { file: 'src/lib/process.ts', text: importing('node:child_process', '..'), rule: null },
  { file: 'src/lib/pty.ts', text: importing('node:child_process', '..'), rule: null },
  { file: 'src/lib/process.ts', text: importing('core/leaf.ts', '..'), rule: fence },
  { file: 'src/git/git.ts', text: importing('store/leaf.ts', '..'), rule: fence },
  { file: 'src/git/composition.test.ts', text: importing('app.ts', '..'), rule: fence },
  { file: 'src/store/rows.test.ts', text: importing('kysely', '..'), rule: null },
  { file: 'src/api/serves.ts', text: importing('fastify', '..'), rule: null },
  { file: 'src/mcp/serves.ts', text: importing('fastify', '..'), rule: fence },
  { file: 'src/api/contract/tasks.ts', text: importing('core/leaf.ts', '../..'), rule: null },
  { file: 'src/api/contract/asks.ts', text: importing('engine/leaf.ts', '../..'), rule: fence },
  { file: 'src/api/contract/serves.ts', text: importing('fastify', '../..'), rule: fence },
  { file: 'src/api/contract/reads.ts', text: importing('node:fs/promises', '../..'), rule: fence },
  { file: 'src/agents/prices.ts', text: importing('@pydantic/genai-prices', '..'), rule: null },
  { file: 'src/agents/prices.ts', text: importing('git/leaf.ts', '..'), rule: fence },
  { file: 'src/agents/priced.ts', text: importing('@pydantic/genai-prices', '..'), rule: fence },
  { file: 'src/engine/prices.ts', text: importing('@pydantic/genai-prices', '..'), rule: fence },
  { file: 'src/agents/builtin/rules.ts', text: importing('yaml', '..'), rule: null },
  { file: 'src/agents/builtin/differs.ts', text: importing('diff', '..'), rule: null },
  { file: 'src/agents/builtin/family.ts', text: importing('git/leaf.ts', '../..'), rule: fence },
  { file: 'src/agents/builtin/interface.ts', text: importing('agents/leaf.ts', '../..'), rule: null },
  { file: 'src/cli/composition.test.ts', text: importing('app.ts', '..'), rule: null },
  { file: 'src/cli/processes.test.ts', text: importing('node:child_process', '..'), rule: null },
  { file: 'src/cli/family.test.ts', text: importing('store/leaf.ts', '..'), rule: fence },
  { file: 'src/composes.test.ts', text: importing('node:child_process', '.'), rule: null },
  { file: 'src/composes.ts', text: importing('engine/leaf.ts', '.'), rule: null },
  { file: 'src/spawns.ts', text: importing('node:child_process', '.'), rule: fence },
  { file: 'web/src/board.ts', text: importing('src/core/leaf.ts', '../..'), rule: null },
  { file: 'web/src/client.ts', text: importing('src/api/contract.ts', '../..'), rule: null },
  { file: 'web/src/server.ts', text: importing('src/api/leaf.ts', '../..'), rule: fence },
  { file: 'web/src/engine.ts', text: importing('src/engine/leaf.ts', '../..'), rule: fence },
  { file: 'web/src/files.ts', text: importing('node:fs/promises', '..'), rule: fence },
  { file: 'web/src/board/routes.ts', text: importing('src/api/contract/tasks.ts', '../../..'), rule: null },
  { file: 'web/src/board/engine.ts', text: importing('src/engine/leaf.ts', '../../..'), rule: fence },
  { file: 'web/src/board/server.ts', text: importingType('src/api/leaf.ts', '../../..'), rule: fence },
  { file: 'web/src/board/composition.ts', text: importing('src/app.ts', '../../..'), rule: fence },
  { file: 'web/src/board/react.ts', text: importing('react', '..'), rule: null },
  { file: 'web/src/board/server-package.ts', text: importing('fastify', '..'), rule: fence },
  { file: 'web/src/board/unknown-package.ts', text: importing('fast-check', '..'), rule: fence },
];

/** One file for each other rule of STYLE.md that lint keeps, and its neighbour that is just allowed. */
const habits: readonly Plant[] = [
  { file: 'src/engine/lines-400.ts', text: fileOf(400), rule: null },
  { file: 'src/engine/lines-401.ts', text: fileOf(401), rule: 'eslint(max-lines)' },
  { file: 'src/engine/lines-600.test.ts', text: fileOf(600), rule: null },
  { file: 'src/engine/lines-601.test.ts', text: fileOf(601), rule: 'eslint(max-lines)' },
  { file: 'src/store/migrations/lines-1000.ts', text: fileOf(1000), rule: null },
  { file: 'src/engine/function-60.ts', text: functionOf(60), rule: null },
  { file: 'src/engine/function-61.ts', text: functionOf(61), rule: 'eslint(max-lines-per-function)' },
  { file: 'src/engine/function-61.test.ts', text: functionOf(61), rule: null },
  { file: 'src/store/conformance.ts', text: functionOf(61), rule: null },
  {
    file: 'src/engine/four.ts',
    text: 'export const four = (a: number, b: number, c: number, d: number) => a + b + c + d;\n',
    rule: 'eslint(max-params)',
  },
  { file: 'src/engine/egg.ts', text: importingType('engine/hen.ts', '..', 'Leaf'), rule: 'import(no-cycle)' },
  { file: 'src/engine/hen.ts', text: `import type { Seen } from './egg.ts';\nexport type Leaf = Seen[];\n`, rule: 'import(no-cycle)' },
  { file: 'src/core/clock.ts', text: 'export const now = () => Date.now();\n', rule: 'eslint(no-restricted-globals)' },
  { file: 'src/core/global-clock.ts', text: 'export const now = () => globalThis.Date.now();\n', rule: 'eslint(no-restricted-globals)' },
  { file: 'src/engine/clock.ts', text: 'export const now = () => Date.now();\n', rule: null },
  { file: 'src/core/chance.ts', text: 'export const chance = () => Math.random();\n', rule: 'eslint(no-restricted-properties)' },
  { file: 'src/engine/prints.ts', text: "console.log('here');\n", rule: 'eslint(no-console)' },
  { file: 'src/cli/prints.ts', text: "console.log('here');\n", rule: null },
  { file: 'src/engine/any.ts', text: 'export const anything = (x: any): unknown => x;\n', rule: 'typescript(no-explicit-any)' },
  { file: 'src/engine/bang.ts', text: 'export const first = (x: string[]) => x[0]!;\n', rule: 'typescript(no-non-null-assertion)' },
  {
    file: 'src/engine/swallows.ts',
    text: 'export function quiet(f: () => void) {\n  try {\n    f();\n  } catch {}\n}\n',
    rule: 'eslint(no-empty)',
  },
  {
    file: 'src/engine/floats.ts',
    text: 'export function fire(f: () => Promise<void>) {\n  f();\n}\n',
    rule: 'typescript(no-floating-promises)',
  },
  {
    file: 'src/engine/misuses.ts',
    text: 'export const odd = (f: () => Promise<boolean>) => (f() ? 1 : 2);\n',
    rule: 'typescript(no-misused-promises)',
  },
  {
    file: 'src/engine/requires.ts',
    text: "import old = require('yaml');\nexport const seen = old;\n",
    rule: 'typescript(no-require-imports)',
  },
  { file: 'src/engine/waits.ts', text: 'export const one = async () => await 1;\n', rule: 'typescript(await-thenable)' },
  {
    file: 'src/engine/forgets.ts',
    text: "export function sum(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n}\n",
    rule: 'typescript(switch-exhaustiveness-check)',
  },
  {
    file: 'src/engine/mixes.ts',
    text: "import { Leaf } from '../core/leaf.ts';\nexport type Seen = Leaf;\n",
    rule: 'typescript(consistent-type-imports)',
  },
  { file: 'src/engine/tests.test.ts', text: "import { test } from 'node:test';\ntest('a sentence', async () => {});\n", rule: null },
];

const plants = [...directions, ...particulars, ...habits];
const scratch: string[] = [];
let refused: ReadonlySet<string>;

before(async () => {
  const tree = await growTree(plants.filter(({ rule }) => rule !== null));
  const { findings } = await lint(tree);
  refused = new Set(findings.map(({ filename, code }) => `${filename} ${code}`));
});

after(async () => {
  await Promise.all(scratch.map(async (folder) => await rm(folder, { recursive: true, force: true })));
});

describe('the fence around the folders', () => {
  for (const folder of folders) {
    test(`${folder} imports nothing but what its row of the table names`, () => {
      const own = directions.filter(({ file, rule }) => rule !== null && file.startsWith(`src/${folder}/`));
      assert.ok(own.length > 0);
      assert.deepEqual(
        own.filter(({ file, rule }) => !refused.has(`${file} ${rule}`)),
        [],
      );
    });
  }

  for (const { file, rule } of [...particulars, ...habits]) {
    if (rule === null) continue;
    test(`${rule} refuses ${file}`, () => {
      assert.ok(refused.has(`${file} ${rule}`), [...refused].filter((line) => line.startsWith(`${file} `)).join('\n'));
    });
  }

  test('a tree that keeps to the rules passes', async () => {
    const { exitCode, findings } = await lint(await growTree(plants.filter(({ rule }) => rule === null)));
    assert.deepEqual(findings, []);
    assert.equal(exitCode, 0);
  });

  test('every folder of src has a row', async () => {
    const entries = await readdir(join(root, 'src'), { withFileTypes: true });
    const known = new Set(folders);
    assert.deepEqual(
      entries.filter((entry) => entry.isDirectory() && !known.has(entry.name)).map(({ name }) => name),
      [],
    );
  });
});

function importing(target: string, up: string): string {
  const isModule = target.endsWith('.ts');
  return isModule
    ? `import { leaf } from '${up}/${target}';\nexport const seen = leaf;\n`
    : `import * as everything from '${target}';\nexport const seen = Object.keys(everything);\n`;
}

function importingType(target: string, up: string, name = 'Leaf'): string {
  return `import type { ${name} } from '${up}/${target}';\nexport type Seen = ${name};\n`;
}

function fileOf(lines: number): string {
  return `// A comment and blank lines do not count.\n\n${Array.from({ length: lines }, (_, index) => `export const line${index} = ${index};\n`).join('')}`;
}

function functionOf(lines: number): string {
  return `export function long(add: (x: number) => void) {\n${'  add(1);\n'.repeat(lines - 2)}}\n`;
}

async function growTree(planted: readonly Plant[]): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'volley-fence-'));
  scratch.push(tree);
  const leaves = modules.map((file) => ({ file: `src/${file}`, text: leafText }));
  const gitText = `${leafText}${importing('node:child_process', '..')}`;
  const special = [
    { file: 'src/git/git.ts', text: gitText },
    { file: 'test/support/leaf.ts', text: leafText },
  ];
  for (const { file, text } of [...leaves, ...special, ...planted]) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), text);
  }
  await Promise.all(['.oxlintrc.json', 'tsconfig.json'].map(async (file) => await cp(join(root, file), join(tree, file))));
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string(), message: z.string() })) });

async function lint(tree: string) {
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { exitCode, stdout, stderr } = await runCommand(process.execPath, [oxlint, '--type-aware', '--format=json'], { cwd: tree });
  assert.equal(stderr, '');
  return { exitCode, findings: Report.parse(JSON.parse(stdout)).diagnostics };
}
