import { createHash } from 'node:crypto';
import type { Asked } from './model-server-incoming.ts';
import { at } from './model-server-request.ts';
import type { ModelRequest } from './model-server-request.ts';
import type { Rule, Script, Step } from './model-server-script.ts';

/** One prompt of a user and the tool calls that follow it. */
export type Conversation = { readonly round: number; answered: boolean };
/** Where requests wait until a test lets them go on. */
export type Gate = {
  readonly reached: Promise<void>;
  readonly arrive: () => void;
  readonly opened: Promise<void>;
  readonly open: () => void;
};

/** How far a script has been played. */
export type Play = {
  script: Script;
  readonly conversations: Map<string, Conversation>;
  /** How many conversations each rule has served. */
  readonly rounds: Map<string, number>;
  readonly errors: Map<string, number>;
  readonly gates: Map<string, Gate>;
};

/** A script of which nothing has been played. */
export function newPlay(script: Script): Play {
  return { script, conversations: new Map(), rounds: new Map(), errors: new Map(), gates: new Map() };
}

/** The gate of a name. */
export function gateOf(play: Play, name: string): Gate {
  const known = play.gates.get(name);
  if (known !== undefined) return known;
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const open = (): void => {
    opening.resolve();
    // Whoever comes later waits for another release.
    play.gates.delete(name);
  };
  const gate = { reached: arrival.promise, arrive: () => arrival.resolve(), opened: opening.promise, open };
  play.gates.set(name, gate);
  return gate;
}

/** The rule that serves a request. */
export function ruleFor({ rules }: Script, asked: Asked, { system, prompt, tools }: ModelRequest): Rule | null {
  const fits = (pattern: string | undefined, text: string): boolean => pattern === undefined || new RegExp(pattern, 's').test(text);
  const found = rules.find(({ scenario, when = {} }) => {
    if (scenario !== undefined && scenario !== asked.scenario) return false;
    if (when.tools !== 'any' && (when.tools ?? true) !== tools.length > 0) return false;
    if (when.api !== undefined && when.api !== asked.api) return false;
    return fits(when.model, asked.model) && fits(when.prompt, prompt) && fits(when.system, system) && fits(when.any, asked.text);
  });
  return found ?? null;
}

/** The conversation that a request belongs to; a first step that comes again after it was answered begins another one. */
export function conversationOf(play: Play, rule: Rule, { request, session }: { request: ModelRequest; session: string }): Conversation {
  const key = `${rule.name}|${session}|${createHash('sha1').update(request.prompt).digest('hex')}`;
  const known = play.conversations.get(key);
  if (known !== undefined && !(request.step === 0 && known.answered)) return known;
  const round = play.rounds.get(rule.name) ?? 0;
  play.rounds.set(rule.name, round + 1);
  const fresh = { round, answered: false };
  play.conversations.set(key, fresh);
  return fresh;
}

/** What the model does now. */
export function stepOf(rule: Rule, round: number, step: number): Step {
  const steps = 'steps' in rule ? rule.steps : (rule.rounds[round] ?? rule.rounds.at(-1) ?? []);
  return steps[step] ?? { text: 'done' };
}

/** Titles, topics and the like, which clients ask for on their own. */
export function unscripted({ schema, tools }: ModelRequest): Step {
  if (schema !== null) return { text: JSON.stringify(smallest(schema)) };
  return { text: tools.length > 0 ? 'No rule of the script fits.' : 'ok' };
}

/** The smallest value that follows a JSON schema. */
function smallest(schema: unknown): unknown {
  const only = at(schema, 'const');
  if (only !== undefined) return only;
  for (const key of ['enum', 'anyOf', 'oneOf']) {
    const options = at(schema, key);
    if (Array.isArray(options)) return key === 'enum' ? options[0] : smallest(options[0]);
  }
  const properties = at(schema, 'properties');
  const named = at(schema, 'type') ?? (properties === undefined ? 'string' : 'object');
  switch (String(Array.isArray(named) ? named[0] : named).toLowerCase()) {
    case 'object': {
      const required = at(schema, 'required');
      const keys: unknown[] = Array.isArray(required) ? required : Object.keys(properties ?? {});
      return Object.fromEntries(keys.map((key) => [String(key), smallest(at(properties, String(key)))]));
    }
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return at(schema, 'minimum') ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'ok';
  }
}
