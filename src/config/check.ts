import { BUILTIN } from '../core/settings.ts';
import { isGroup } from './layer.ts';
import type { Origin, Problem } from './layer.ts';
import type { Entry } from './merge.ts';
import { nearest } from '../lib/nearest.ts';

/** What only shows in the merged settings: mistakes, and entries that follow from others. */
export type Checked = { readonly problems: readonly Problem[]; readonly derived: readonly Entry[] };

/** Checks what no single key can tell: that each agent has a driver that exists and a program, and that gates have names of their own. */
export function checkEntries(entries: ReadonlyMap<string, Entry>, drivers: readonly string[]): Checked {
  const checked = [...agentNames(entries)].map((name) => checkAgent(name, entries, drivers));
  return {
    problems: [...checked.flatMap(({ problem }) => problem ?? []), ...sameGateNames(entries.get('gates'))],
    derived: checked.flatMap(({ derived }) => derived ?? []),
  };
}

function agentNames(entries: ReadonlyMap<string, Entry>): Set<string> {
  const names = new Set<string>();
  for (const { path } of entries.values()) if (path[0] === 'agents' && path[1] !== undefined) names.add(path[1]);
  return names;
}

type CheckedAgent = { readonly problem?: Problem; readonly derived?: Entry };

function checkAgent(name: string, entries: ReadonlyMap<string, Entry>, drivers: readonly string[]): CheckedAgent {
  const path = ['agents', name];
  const written = entries.get(`agents.${name}.driver`);
  const run = entries.get(`agents.${name}.run`);
  const driver = typeof written?.value === 'string' ? written.value : run === undefined ? name : 'command';
  const source = written ?? run ?? [...entries.values()].find((entry) => entry.path[0] === 'agents' && entry.path[1] === name);
  if (source === undefined) throw new Error(`agent ${name} has no entry`);
  const problem = (text: string): CheckedAgent => ({ problem: { path, message: `${place(source.origin)}: ${text}` } });
  if (!drivers.includes(driver)) {
    if (written === undefined) return problem(`agents.${name} needs a run, like ["bash", "review.sh"], or a driver: ${drivers.join(', ')}`);
    const near = nearest(driver, drivers);
    return problem(`agents.${name}.driver must be one of ${drivers.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`);
  }
  for (const key of ['sarif', 'ignore']) {
    if (driver !== BUILTIN && entries.has(`agents.${name}.${key}`))
      return problem(`agents.${name}.${key} is for the agent ${BUILTIN} only`);
  }
  if (driver === 'command' && run === undefined) return problem(`agents.${name} needs a run, like ["bash", "review.sh"]`);
  return written === undefined ? { derived: { path: [...path, 'driver'], value: driver, origin: source.origin } } : {};
}

function sameGateNames(gates: Entry | undefined): Problem[] {
  if (gates === undefined || !Array.isArray(gates.value)) return [];
  const names = gates.value.map((gate: unknown) => (isGroup(gate) ? gate['name'] : undefined));
  const twice = new Set(names.filter((name, index) => name !== undefined && names.indexOf(name) !== index));
  return [...twice].map((name) => ({
    path: ['gates'],
    message: `${place(gates.origin)}: gates has two gates with the name ${String(name)}`,
  }));
}

function place({ label, line }: Origin): string {
  return line === null ? label : `${label}:${line}`;
}
