import { outranks } from './load.ts';
import type { Loaded } from './load.ts';
import { originText, valueText } from './show.ts';

/** The limits of task types that stand in the place of a general one. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  'policy.maxRounds': ['implement.maxRounds', 'review.maxRounds'],
  'policy.timeouts.author': ['implement.timeout'],
  'policy.timeouts.review': ['implement.reviewTimeout', 'review.reviewTimeout', 'review.timeout'],
  'policy.timeouts.fix': ['implement.fixTimeout', 'review.fixTimeout', 'improve.fixTimeout', 'improve.timeout'],
};

/** A note for each type of task for which a general limit does not hold, because its own does. */
export function specialLimits({ config, origins }: Loaded, path: string): string[] {
  const names = Object.hasOwn(SPECIAL, path) ? (SPECIAL[path] ?? []) : [];
  return names.flatMap((name) => {
    const [type = '', key = ''] = name.split('.');
    const own = origins.get(`taskTypes.${name}`);
    if (own === undefined || outranks(origins.get(path), own)) return [];
    const value: unknown = Reflect.get(Object(Reflect.get(config.taskTypes, type)), key);
    return [`taskTypes.${name} ${valueText(value)} (${originText(own)}) holds in its place for ${type} tasks.`];
  });
}
