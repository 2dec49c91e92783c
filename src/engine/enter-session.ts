import type { Agent, ReportWay } from '../agents/agent.ts';
import type { Held } from '../confine/confinement.ts';
import { joinAccess } from '../core/access.ts';
import type { ConfinementLevel } from '../core/proof.ts';
import { looksOnly } from '../core/settings.ts';
import { networkOf } from './network.ts';
import { openInbox } from './inbox.ts';
import type { Inbox } from './inbox.ts';
import type { SessionRequest } from './session-request.ts';
import { sessionLevel } from './session-level.ts';

/** A session's way in: the confinement that holds it, and the channel by which its result comes out. */
export type Entry = Pick<Held, 'cwd' | 'env' | 'launcher' | 'network'> & {
  readonly level: ConfinementLevel;
  readonly inbox: Inbox | null;
  /** How to start the bridge to the inbox; null where there is none. */
  readonly bridge: readonly string[] | null;
  /** Ends the channel and the confinement; nothing reaches the inbox afterwards. */
  close(): Promise<void>;
};

/** What is known about a session before it begins. */
export type Beginning = { readonly agent: Agent; readonly way: ReportWay; readonly folder: string; readonly resultFile: string };

/** Opens the result channel of a session and holds its place ready. */
export async function enterSession(request: SessionRequest, { agent, way, folder, resultFile }: Beginning): Promise<Entry> {
  const { engine, loop, role } = request;
  const { confine } = loop.settings;
  const inbox = way === 'mcp' ? openInbox(subjectOf(request)) : null;
  const channel = inbox === null ? null : await engine.openChannel(inbox, `${resultFile}.sock`);
  try {
    const needs = await agent.needs();
    const [, ...files] = channel?.bridge ?? [];
    const held = await engine.confinement.hold(
      { cwd: request.cwd, env: request.env },
      {
        role,
        passEnv: agent.spec.env,
        home: engine.home,
        folder,
        network: networkOf(role, needs.hosts, confine),
        ...joinAccess(request.access, needs, {
          read: [...files, ...confine.read],
          write: looksOnly(role) ? [] : confine.write,
        }),
      },
    );
    const level = sessionLevel(engine, agent);
    const close = async (): Promise<void> => void (await Promise.all([channel?.close(), held.close()]));
    return { ...held, level, inbox, bridge: channel?.bridge ?? null, close };
  } catch (error) {
    await channel?.close();
    throw error;
  }
}

function subjectOf({ role, loop, round, subject }: SessionRequest): Parameters<typeof openInbox>[0] {
  return { role, loopId: loop.id, round, findingIds: subject.findings.map(({ id }) => id) };
}
