import type { Policy } from '../core/policy.ts';
import type { Confine, GateSpec, Role, Roles, Settings } from '../core/settings.ts';
import { agentSpecs, withModel } from './agent-specs.ts';
import type { Programs } from './agent-specs.ts';
import { assignRoles } from './assign-roles.ts';
import { outranks } from './load.ts';
import type { Loaded } from './load.ts';
import type { Config } from './schema.ts';
import { durationMs, moneyUsd } from './values.ts';

/** What a loop is started for, and what is known about this machine. */
export type Purpose = {
  readonly kind: 'implement' | 'review';
  /** A review that is answered by a fixer. */
  readonly fix?: boolean | undefined;
  /** Left out: the task type decides, and without its word it is off. */
  readonly autoReview?: boolean | undefined;
  /** Left out: as `autoReview` for a task with an author, as `fix` for a review. */
  readonly autoIterate?: boolean | undefined;
  /** Agents that need no entry. */
  readonly detected: readonly string[];
  readonly programs: Programs;
  /** The roles that agents of a driver can play. */
  rolesOf(driver: string): readonly Role[];
};

/** The settings that a loop is frozen with when it starts. */
export function toSettings(loaded: Loaded, purpose: Purpose): Settings {
  const { config } = loaded;
  const { kind, fix = false } = purpose;
  const autoReview = kind === 'review' || (purpose.autoReview ?? config.taskTypes.implement?.autoReview ?? false);
  const enabled = kind === 'review' || config.review.enabled;
  const agents = agentSpecs(loaded, purpose.programs, purpose.detected);
  const cast = new Map([...agents].map(([name, { driver }]) => [name, purpose.rolesOf(driver)]));
  const assigned = assignRoles(loaded, cast, { authored: kind === 'implement' });
  const roles = chooseModels(assigned, { loaded, kind, agents });
  const improve = improveOf(loaded, assigned.fixer, agents);
  return {
    policy: policyOf(loaded, kind),
    roles,
    agents: Object.fromEntries(agents),
    gates: gatesOf(config.gates),
    review: { enabled, context: config.review.context },
    autoReview,
    autoIterate: purpose.autoIterate ?? (kind === 'review' ? fix : autoReview),
    commit: config.commit,
    commitHooks: null,
    branchPrefix: config.checkout.branchPrefix,
    checkout: { copy: config.checkout.copy, setup: config.checkout.setup ?? null },
    confine: confineOf(loaded, purpose.programs),
    improve,
    artefactPath: config.artefacts.path,
  };
}

function confineOf({ config, origins }: Loaded, programs: Programs): Confine {
  const { network = null, hosts = [], projectSettings = 'none', required = false } = config.confine;
  const paths = (key: 'read' | 'write'): string[] => {
    const dir = origins.get(`confine.${key}`)?.dir ?? null;
    return (config.confine[key] ?? []).map((path) => programs.resolvePath(dir, path));
  };
  return { read: paths('read'), write: paths('write'), network, hosts, projectSettings, required };
}

type Casting = { readonly loaded: Loaded; readonly kind: Purpose['kind']; readonly agents: ReturnType<typeof agentSpecs> };

function chooseModels(roles: Roles, { loaded, kind, agents }: Casting): Roles {
  const type = loaded.config.taskTypes[kind];
  const { origins } = loaded;
  const making = { model: type?.model, path: `taskTypes.${kind}.model`, origins };
  const reviewing =
    kind === 'review' && type?.reviewModel === undefined
      ? making
      : { model: type?.reviewModel, path: `taskTypes.${kind}.reviewModel`, origins };
  const make = (name: string | null): string | null => (name === null ? null : withModel(agents, name, making));
  return {
    ...roles,
    author: make(roles.author),
    fixer: make(roles.fixer),
    reviewer: roles.reviewer.map((name) => withModel(agents, name, reviewing)),
  };
}

/** What is frozen for fixes that a person may order later. */
function improveOf(loaded: Loaded, fixer: string | null, agents: Casting['agents']): Settings['improve'] {
  const { config, origins } = loaded;
  const { model, timeout, fixTimeout } = config.taskTypes.improve ?? {};
  const own = fixTimeout ?? timeout;
  const path = `taskTypes.improve.${fixTimeout === undefined ? 'timeout' : 'fixTimeout'}`;
  const holds = own !== undefined && !outranks(origins.get('policy.timeouts.fix'), origins.get(path));
  return {
    fixer: fixer === null || model === undefined ? null : withModel(agents, fixer, { model, path: 'taskTypes.improve.model', origins }),
    timeoutMs: holds ? durationMs(own) : null,
  };
}

function policyOf({ config, origins }: Loaded, kind: Purpose['kind']): Policy {
  const { policy } = config;
  const type = config.taskTypes[kind] ?? {};
  /** A limit of the task type is more specific than the policy's, unless that comes from a higher layer. */
  const limit = <T>(own: T | undefined, key: string, general: { readonly value: T; readonly path: string }): T =>
    own === undefined || outranks(origins.get(general.path), origins.get(`taskTypes.${kind}.${key}`)) ? general.value : own;
  const timeout = (phase: 'author' | 'review' | 'fix', key: 'timeout' | 'reviewTimeout' | 'fixTimeout'): number =>
    durationMs(limit(type[key], key, { value: policy.timeouts[phase], path: `policy.timeouts.${phase}` }));
  const reviewKey = kind === 'review' && type.reviewTimeout === undefined ? 'timeout' : 'reviewTimeout';
  return {
    effort: policy.effort ?? null,
    depth: policy.depth,
    checkpointEvery: policy.checkpointEvery === 'none' ? null : policy.checkpointEvery,
    maxRounds: limit(type.maxRounds, 'maxRounds', { value: policy.maxRounds, path: 'policy.maxRounds' }),
    maxAuthorIterations: policy.maxAuthorIterations,
    maxGateFixes: policy.maxGateFixes,
    onMaxRounds: policy.onMaxRounds,
    blockAt: policy.blockAt,
    convergence: policy.convergence,
    quorum: policy.quorum,
    ceilingUsd: { loop: moneyUsd(policy.ceiling.loop), run: moneyUsd(policy.ceiling.run), day: moneyUsd(policy.ceiling.day) },
    countSubscription: policy.countSubscription,
    timeoutsMs: {
      author: kind === 'implement' ? timeout('author', 'timeout') : durationMs(policy.timeouts.author),
      review: timeout('review', reviewKey),
      fix: timeout('fix', 'fixTimeout'),
      gate: durationMs(policy.timeouts.gate),
      idle: durationMs(policy.timeouts.idle),
    },
  };
}

const LONGEST_NAME = 40;

function gatesOf(gates: Config['gates']): GateSpec[] {
  const taken = new Set(gates.flatMap((gate) => (typeof gate === 'string' ? [] : (gate.name ?? []))));
  return gates.map((written) => {
    const gate = typeof written === 'string' ? { run: written } : written;
    return {
      name: gate.name ?? nameOf(gate.run, taken),
      run: gate.run,
      cwd: gate.cwd ?? '.',
      paths: gate.paths ?? [],
      network: gate.network ?? false,
    };
  });
}

/** A gate without a name is called by its command; the second of the same name gets a number. */
function nameOf(run: string, taken: Set<string>): string {
  const name = run.trim().replace(/\s+/g, ' ').slice(0, LONGEST_NAME).trim();
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name} (${number})`;
  taken.add(unique);
  return unique;
}
