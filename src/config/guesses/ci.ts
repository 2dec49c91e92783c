import { parse } from 'yaml';
import type { Candidate, ProjectTexts } from './guess.ts';

/** The plain commands that the project's build server runs, with the files that say so; what needs a shell's cleverness is left out. */
export function ciCommands(texts: ProjectTexts): Candidate[] {
  return [...texts]
    .filter(([path]) => /^\.github\/workflows\/[\w.-]+\.ya?ml$|^\.gitlab-ci\.yml$/.test(path))
    .flatMap(([path, text]) => blocksOf(text).flatMap((block) => commandsIn(block).map((run) => ({ run, from: path }))));
}

/** Every shell text of the jobs: `run` of a step on GitHub, `script` of a job on GitLab. */
function blocksOf(text: string): string[] {
  const file = asGroup(readYaml(text));
  if (!isForChanges(file['on'])) return [];
  const workflowJobs = Object.values(asGroup(file['jobs'])).map(asGroup);
  const steps = workflowJobs.filter((job) => !leavesRoot(job['defaults'])).flatMap((job) => asList(job['steps']).map(asGroup));
  const runs = leavesRoot(file['defaults']) ? [] : steps.filter((step) => !('working-directory' in step)).map((step) => step['run']);
  const scripts = Object.values(file).map((job) => asList(asGroup(job)['script']).flat(2).join('\n'));
  return [...runs, ...scripts].filter((block) => typeof block === 'string');
}

/** The tags of GitLab are unknown to the parser, which then takes the value as it stands. */
function readYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent', maxAliasCount: 100 });
  } catch {
    // A file that the build server could not read either says nothing.
    return null;
  }
}

const DELIBERATE = ['release', 'workflow_dispatch', 'repository_dispatch'];

/** Whether a workflow on GitHub runs for more than what somebody releases, tags or starts by hand; what it does then is seldom a check. */
function isForChanges(on: unknown): boolean {
  const group = asGroup(on);
  const names = [...asList(on).filter((name) => typeof name === 'string'), ...Object.keys(group)];
  return names.length === 0 || names.some((name) => !DELIBERATE.includes(name) && !(name === 'push' && isForTags(group[name])));
}

function isForTags(push: unknown): boolean {
  const filters = Object.keys(asGroup(push));
  return filters.some((name) => name.startsWith('tags')) && !filters.some((name) => name.startsWith('branches'));
}

/** Its commands run in some other folder, so they mean something else than at the root. */
function leavesRoot(defaults: unknown): boolean {
  return 'working-directory' in asGroup(asGroup(defaults)['run']);
}

const PLAIN = /^[\w ./:=@,+*-]+$/;
const CHANGES_FOLDER = /(?:^|&& *)(?:cd|pushd)\b/;

function commandsIn(block: string): string[] {
  const lines = block
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim());
  const leaves = lines.findIndex((line) => CHANGES_FOLDER.test(line));
  return lines.slice(0, leaves < 0 ? lines.length : leaves).flatMap((line) => {
    const parts = line.split(/\s+&&\s+/);
    return parts.every((part) => PLAIN.test(part)) ? parts : [];
  });
}

function asGroup(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
