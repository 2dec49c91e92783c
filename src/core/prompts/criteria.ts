import type { Task } from '../task.ts';

/** The acceptance criteria that a task's story or text lists under a heading of that name, else its open checkboxes. */
export function acceptanceCriteria(task: Pick<Task, 'text' | 'story'>): readonly string[] {
  const source = [task.story ?? '', task.text].find((text) => /acceptance criteria/i.test(text)) ?? task.story ?? task.text;
  const lines = source.split('\n');
  const heading = lines.findIndex((line) => /^\s*(?:#{1,6}\s*)?(?:\*\*)?acceptance criteria\b/i.test(line));
  if (heading < 0) return lines.flatMap((line) => /^\s*[-*]\s+\[[ xX]\]\s+(\S.*)$/.exec(line)?.[1]?.trim() ?? []);
  const rest = lines.slice(heading + 1);
  const end = rest.findIndex((line) => /^\s*#{1,6}\s/.test(line));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .flatMap((line) => /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)?.[1]?.trim() ?? []);
}
