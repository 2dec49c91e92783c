import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { Category, FindingStatus, Place, Severity } from '../../src/core/finding.ts';
import { linePatch } from '../../src/core/line-patch.ts';
import { isRecord } from '../../src/core/readers/coerce.ts';
import { readSarif } from '../../src/core/readers/sarif.ts';
import { writeSarif } from '../../src/core/writers/sarif.ts';
import type { SarifReport } from '../../src/core/writers/sarif.ts';
import { runCommand } from '../support/run-command.ts';
import { sarifFinding as finding, sarifReport as report, SARIF_TEXT as TEXT } from '../support/sarif-report.ts';
import type { SarifFinding } from '../support/sarif-report.ts';

/** What the validator says about one place of a log. */
type Complaint = { readonly level: string; readonly rule: string; readonly text: string };

/** Advice of the validator that we do not follow. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  SARIF2002: 'each finding has words of its own, so there is no table of messages to take them from',
  SARIF2003: 'a repository without a remote has no address to name',
  SARIF2005: 'Volley has no public page that informationUri could name',
  SARIF2009: 'rule ids are the tags that reviewers gave, to the letter',
  SARIF2010: 'lines with a secret and files that cannot be read are not quoted',
  SARIF2011: 'whoever reads the log has the repository around the quoted lines',
  SARIF2012: 'there is no page for each rule',
  SARIF2013: 'files are not copied into the log',
  SARIF2017: 'a location without a region means the whole file, and that is what is meant',
};

const validator = process.env.VOLLEY_SARIF_VALIDATOR;
const TOKEN = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYz'}`;
let folder: string;

describe('SARIF, by the validator of the standard’s authors', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'volley-sarif-'));
    // It would look for every URI on the network.
    await writeFile(
      join(folder, 'config.xml'),
      '<Properties><Properties Key="SARIF2006.UrisShouldBeReachable.Options"><Property Key="RuleEnabled" Value="Disabled" Type="Driver.RuleEnabledState" /></Properties></Properties>',
    );
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('a log that breaks the standard is objected to', async () => {
    const log = JSON.stringify(writeSarif(report([finding({ file: 'a b' })])));
    const broken = log.replace('a%20b', 'a b').replace('"ruleIndex":0', '"ruleIndex":7').replace('"columnKind"', '"colour":1,"columnKind"');
    const { complaints } = await validate(broken, 'Sarif;Ghas');
    assert.deepEqual(
      complaints
        .filter(({ level }) => level === 'error')
        .map(({ rule }) => rule)
        .toSorted(),
      ['JSON1005', 'SARIF1002', 'SARIF1009'],
    );
    assert.notDeepEqual(await schemaProblems(log.replace('utf16CodeUnits', 'bytes')), []);
  });

  test('its own log is read as it prints it', async () => {
    const { complaints, log } = await validate(JSON.stringify(writeSarif(report(everyFinding()))).replaceAll('%', ' '), 'Sarif;Ghas');
    const reading = readSarif(log);
    assert.ok(reading.kind === 'sarif');
    const printed = complaints.map(({ rule, text }) => `${rule} ${text}`);
    assert.ok(printed.length > 50);
    assert.deepEqual(reading.issues.map(({ ruleId, description }) => `${ruleId} ${description}`).toSorted(), printed.toSorted());
  });

  test('a review without findings is valid', async () => {
    await assertValid(report([], { verdict: 'approved', exitCode: 0 }), 'Sarif;Ghas');
  });

  test('a review that came to no verdict is valid', async () => {
    await assertValid(report([], { verdict: null, exitCode: 2, exitCodeDescription: 'The reviewer gave no verdict.' }), 'Sarif;Ghas');
  });

  test('findings of every kind and place are valid, for GitHub too', async () => {
    const root = { repositoryUri: 'git@host.example:team/my repo.git', revision: 'a'.repeat(40), branch: 'feat/ü' };
    const log = await assertValid(report(everyFinding(), { root, unplacedAt: 'src/a b.ts' }), 'Sarif;Ghas');
    assert.ok(log.includes('"fixes"') && log.includes('"security-severity"'));
  });

  test('findings without a place are valid, and GitHub needs a file that stands for them', async () => {
    const unplaced = [finding({ file: null, line: null, place: 'unplaced' })];
    await assertValid(report(unplaced), 'Sarif');
    const { complaints } = await validate(JSON.stringify(writeSarif(report(unplaced))), 'Ghas');
    assert.ok(complaints.some(({ rule }) => rule === 'GH1015'));
    await assertValid(report(unplaced, { unplacedAt: 'src/greet.ts' }), 'Sarif;Ghas');
  });

  test('findings about secrets are valid without the secrets', async () => {
    const text = `const token = '${TOKEN}';\n`;
    const findings = [
      finding({ line: 1, tag: 'secret', category: 'security', description: `${TOKEN} is in the source.` }),
      finding({ line: 1 }),
    ];
    const log = await assertValid(report(findings, { textOf: () => text }), 'Sarif;Ghas');
    assert.ok(!log.includes(TOKEN));
  });
});

/** Findings of every severity, category, status and place, on odd paths, with and without lines, words and fixes. */
function everyFinding(): readonly SarifFinding[] {
  const paths = [
    'src/a b.ts',
    'src/ü/ß.ts',
    'src/#1?.ts',
    'src/100%.ts',
    'src/%41.ts',
    "src/it's (new) [1]{2}.ts",
    'a:b\\c.ts',
    'src/日本語 😀.ts',
    '/etc/hosts',
    '../up.ts',
  ];
  const words = {
    description: 'Code {0} in `x[i](1)` and <b>\u0007',
    impact: 'It {1} breaks.\nTwice.',
    suggestion: 'See [this](https://host.example/x).',
  };
  return [
    ...paths.map((file) => finding({ file, ...words, patch: linePatch(file, TEXT, { line: 2, removed: 1, added: ['2', '3'] }) })),
    ...Severity.options.flatMap((severity) => Category.options.map((category) => finding({ severity, category }))),
    ...FindingStatus.options.map((status) => finding({ status, tag: 'dead-code' })),
    ...Place.options.map((place) => finding({ place, tag: 'Missing error handling/case 1', line: 1, lineEnd: 4 })),
    finding({ line: null }),
    finding({ line: 99, lineEnd: 120 }),
    finding({ tag: '«…»' }),
    finding({ patch: linePatch('src/greet.ts', TEXT, { line: 5, removed: 0, added: ['fifth'] }) }),
    finding({ patch: linePatch('src/greet.ts', TEXT, { line: 4, removed: 1, added: [] }) }),
  ];
}

/** Writes a log, and fails with the validator's words if it complains about anything but what we decided against. */
async function assertValid(written: SarifReport, ruleKinds: string): Promise<string> {
  const log = JSON.stringify(writeSarif(written), null, 2);
  assert.deepEqual(await schemaProblems(log), []);
  const { complaints } = await validate(log, ruleKinds);
  assert.deepEqual(
    complaints.filter(({ rule, level }) => level === 'error' || NOT_FOLLOWED[rule] === undefined),
    [],
  );
  // It says nothing at all about a log that it cannot load, so what it always says shows that it did.
  assert.ok(complaints.some(({ rule }) => rule === 'SARIF2005'));
  const wholeFiles = log.split('"physicalLocation"').length - log.split('"region"').length;
  assert.equal(complaints.filter(({ rule }) => rule === 'SARIF2017').length, wholeFiles);
  return log;
}

/** What the published JSON schema, which lies beside the validator, says against a log. */
async function schemaProblems(log: string): Promise<readonly string[]> {
  assert.ok(validator !== undefined);
  const text = await readFile(join(dirname(validator), 'sarif-2.1.0.json'), 'utf8');
  // Zod wants whole URIs where references may stand; the validator checks both.
  const schema: unknown = JSON.parse(text, (key, value: unknown) => (key === 'format' && value === 'uri-reference' ? undefined : value));
  assert.ok(isRecord(schema));
  // It says that it is of a newer draft, but keeps its definitions where older ones do.
  const checked = z.fromJSONSchema({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }).safeParse(JSON.parse(log));
  return checked.success ? [] : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

async function validate(log: string, ruleKinds: string): Promise<{ readonly complaints: readonly Complaint[]; readonly log: string }> {
  assert.ok(validator !== undefined);
  await writeFile(join(folder, 'log.sarif'), log);
  const options = [
    '--rule-kind',
    ruleKinds,
    '--level',
    'Error;Warning;Note',
    '--config',
    'config.xml',
    '--output',
    'said.sarif',
    '--log',
    'ForceOverwrite',
  ];
  const { exitCode, stdout, stderr } = await runCommand(validator, ['validate', 'log.sarif', ...options], {
    cwd: folder,
    // Without it the program wants a library for languages that small machines lack.
    env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  });
  assert.ok(stdout.includes('Analysis completed successfully.'), `exit code ${exitCode}\n${stdout}${stderr}`);
  const lines = stdout.matchAll(/^.*?log\.sarif(?:\(\d+,\d+\))?: (error|warning|note) (\w+): (.*)$/gm);
  const complaints = [...lines].map(([, level = '', rule = '', text = '']) => ({ level, rule, text: text.trim() }));
  return { complaints, log: await readFile(join(folder, 'said.sarif'), 'utf8') };
}
