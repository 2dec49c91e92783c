import type { Network } from '../confine/confinement.ts';
import { looksOnly } from '../core/settings.ts';
import type { Confine, Role } from '../core/settings.ts';

/**
 * What a role may reach: who looks reaches the agent's hosts alone, who works those, and anything but this machine and private
 * networks. What the configuration asks for comes first.
 */
export function networkOf(
  role: Role,
  own: readonly string[],
  { network: asked, hosts: more }: Pick<Confine, 'network' | 'hosts'>,
): Network {
  const hosts = [...own, ...more];
  const mode = asked ?? (looksOnly(role) ? 'provider' : 'public');
  return mode === 'provider' || mode === 'public' ? { mode, hosts } : { mode };
}

/** What a gate may reach: nothing, unless its own entry says so. */
export function gateNetwork(wanted: boolean, { network: asked, hosts }: Pick<Confine, 'network' | 'hosts'>): Network {
  if (!wanted || asked === 'none') return { mode: 'none' };
  return asked === 'open' ? { mode: asked } : { mode: 'public', hosts };
}
