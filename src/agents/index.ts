import { VolleyError } from '../core/errors.ts';
import type { AgentSpec, Role } from '../core/settings.ts';
import type { Agent, Driver, DriverPlace } from './agent.ts';
import { builtin } from './builtin/driver.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';

/** Every driver that a config may name; the only list. */
export const DRIVERS: readonly Driver[] = [command, builtin, claude, codex];

/** The agent that a spec describes. */
export function createAgent(spec: AgentSpec, place: DriverPlace): Agent {
  const driver = DRIVERS.find(({ id }) => id === spec.driver);
  if (driver !== undefined) return driver.create(spec, place);
  const known = DRIVERS.map(({ id }) => id).join(', ');
  throw new VolleyError(
    'unknown-agent',
    `The agent ${spec.name} has an unknown driver: ${spec.driver}.`,
    `Use one of these drivers: ${known}.`,
  );
}

/** The roles that agents of a driver can play; none where there is no such driver. */
export function rolesOf(driver: string): readonly Role[] {
  return DRIVERS.find(({ id }) => id === driver)?.roles ?? [];
}
