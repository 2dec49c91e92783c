import type { SessionView } from '../../../src/core/view.ts';

type Named = Pick<SessionView, 'agent' | 'role' | 'startedAt' | 'transcript'>;

/** What a session is called in an address: it stays so whatever begins and ends beside it. Only one that nobody was started for has no transcript. */
export function sessionName({ agent, role, startedAt, transcript }: Named): string {
  return transcript ?? `${agent}-${role}-${startedAt}`;
}

/** The address of the drawer in which a session lies open. */
export function sessionDrawer(session: Named): string {
  return `session:${sessionName(session)}`;
}
