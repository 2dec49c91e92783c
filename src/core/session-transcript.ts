import type { Role } from './settings.ts';

/** Which session of a loop it is: that of an action, known by its token, or one of the several of a panel. */
export type SessionPlace = {
  readonly loop: number;
  readonly token: number;
  readonly role: Role;
  readonly seat: { readonly index: number; readonly of: number };
};

/** By which name the transcript of a session is kept, which is settled before the session begins and is that of no other one. */
export function sessionTranscript({ loop, token, role, seat }: SessionPlace): string {
  return `task-${loop}-${token}-${role}${seat.of === 1 ? '' : `-${seat.index + 1}`}.log`;
}
