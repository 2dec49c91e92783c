import { gatesApply } from './decide.ts';
import { isRed } from './event.ts';
import type { Session } from './event.ts';
import type { Loop } from './loop.ts';
import type { GateRecord, Proof } from './proof.ts';
import { BUILTIN } from './settings.ts';
import type { AgentSpec } from './settings.ts';

/** Who reviewed, by what and where, as the session itself and the settings of its agent say. */
export function sessionParts(
  session: Session,
  spec: AgentSpec | undefined,
): Pick<Proof, 'driver' | 'model' | 'billing' | 'confinement' | 'network'> {
  return {
    driver: spec?.driver ?? '',
    model: session.model ?? spec?.model ?? null,
    billing: spec?.billing ?? session.billing,
    confinement: session.confinement ?? 'copy',
    // Who looks has the provider's hosts, all or nothing; anything else is as good as all.
    network: session.network === 'public' ? 'open' : session.network,
  };
}

/** Why a part of a proof is null, by its name; what is there is not named. */
export function absentParts(proof: Omit<Proof, 'absent'>): Record<string, string> {
  const free = proof.costBasis === 'free';
  const why: readonly (readonly [keyof typeof proof, string])[] = [
    ['agentVersion', proof.driver === 'command' ? 'a command does not tell its version' : 'the agent did not tell its version'],
    ['model', proof.driver === BUILTIN ? 'it runs no model' : 'no model is configured for it'],
    ['sameVendor', 'a command may run any model'],
    ['billing', free ? 'it costs nothing' : 'it is not known how it is billed'],
    ['tokens', proof.driver === BUILTIN ? 'it uses no tokens' : 'the agent reported none'],
    ['costUsd', 'the agent reported none, and its tokens could not be priced'],
    ['costBasis', 'nothing is known about its cost'],
    ['witness', 'the answer did not come by a tool call'],
    ['network', 'this confinement does not limit the network'],
    ['gates', 'no gates were asked for'],
  ];
  return Object.fromEntries(why.filter(([part]) => proof[part] === null));
}

/** How the gates did on the loop's head, as a proof says it; null where none were asked for. */
export function gateRecords(loop: Loop): GateRecord[] | null {
  if (!gatesApply(loop)) return null;
  const acceptedBy = loop.gates.accepted?.tree === loop.head?.tree ? (loop.gates.accepted?.by ?? null) : null;
  return loop.gates.results.map((result) => {
    const { name, passed, redBefore } = result;
    return { name, passed, redBefore, acceptedBy: isRed(result) ? acceptedBy : null };
  });
}
