import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import type { JSX } from 'react';
import type { LoopView, SessionView } from '../../../src/core/view.ts';
import { asking } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { usd } from '../ui/usd.ts';
import { DrawerFrame } from './drawer-frame.tsx';
import { elapsed } from './elapsed.ts';
import { usePlace } from './place.ts';
import { askSessions } from './questions.ts';
import { sessionDrawer, sessionName } from './session-name.ts';
import { SessionText } from './session-text.tsx';

/** One session of an agent: what it was told, and what it said; one at work is followed. */
export function SessionDrawer({
  loop,
  name,
  sessions,
}: {
  readonly loop: LoopView;
  readonly name: string;
  readonly sessions: readonly SessionView[];
}): JSX.Element {
  const at = sessions.findIndex((one) => sessionName(one) === name);
  const session = sessions[at];
  return (
    <DrawerFrame
      icon="term"
      title={session === undefined ? 'Session' : `${session.agent}, ${session.role}`}
      wide
      acts={session === undefined ? null : <Steps at={at} sessions={sessions} />}
    >
      {session === undefined ? <Unknown loop={loop.id} name={name} /> : <Body loop={loop.id} session={session} />}
    </DrawerFrame>
  );
}

function Steps({ at, sessions }: { readonly at: number; readonly sessions: readonly SessionView[] }): JSX.Element {
  const { go } = usePlace();
  const step = (label: string, icon: 'left' | 'right', to: SessionView | undefined): JSX.Element => (
    <Button
      kind="ghost"
      size="small"
      disabled={to === undefined}
      aria-label={label}
      className="!px-1"
      onClick={() => (to === undefined ? undefined : go({ drawer: sessionDrawer(to) }, { replace: true }))}
    >
      <Icon name={icon} />
    </Button>
  );
  return (
    <>
      {step('The session before', 'left', sessions[at - 1])}
      <span className="text-small text-fg-3">
        {at + 1} of {sessions.length}
      </span>
      {step('The next session', 'right', sessions[at + 1])}
    </>
  );
}

/** An address of another loop, or one from when sessions were counted: no other session is shown for the one that was meant. */
function Unknown({ loop, name }: { readonly loop: number; readonly name: string }): JSX.Element | null {
  const { isPending } = useQuery(askSessions(loop));
  if (isPending) return null;
  return (
    <p className="p-5 text-fg-2">
      <Plain text={`This loop has no session of the name “${name}”. Its history leads to every session that it has.`} as="name" />
    </p>
  );
}

function Body({ loop, session }: { readonly loop: number; readonly session: SessionView }): JSX.Element {
  const running = session.endedAt === null;
  const { transcript } = session;
  return (
    <>
      <Summary session={session} />
      {transcript === null ? (
        <p className="px-5 py-3 text-fg-3">{running ? 'It has said nothing yet.' : 'Nobody was started, so there is no transcript.'}</p>
      ) : (
        <Tabs.Root defaultValue="transcript" className="flex min-h-0 flex-1 flex-col">
          <Tabs.List className="flex h-9 shrink-0 gap-4 border-b border-line px-5 max-sm:px-4">
            {(['transcript', 'prompt'] as const).map((name) => (
              <Tabs.Trigger
                key={name}
                value={name}
                className="border-b-2 border-transparent text-small text-fg-2 capitalize data-[state=active]:border-fg data-[state=active]:font-semibold data-[state=active]:text-fg"
              >
                {name}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="transcript" className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden">
            <SessionText key={transcript} loop={loop} name={transcript} running={running} />
          </Tabs.Content>
          <Tabs.Content value="prompt" className="min-h-0 flex-1 overflow-auto px-5 py-3 data-[state=inactive]:hidden max-sm:px-4">
            <Prompt loop={loop} name={transcript} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </>
  );
}

function Summary({ session }: { readonly session: SessionView }): JSX.Element {
  const { agent, role, model, startedAt, endedAt, exit, usage, costBasis, confinement, network } = session;
  const cost = usage?.costUsd ?? null;
  const facts = [
    model,
    confinement === null ? null : `confined by ${confinement === 'os' ? 'the system' : confinement}`,
    network === null ? null : `network ${network}`,
    endedAt === null ? 'at work' : elapsed(Date.parse(endedAt) - Date.parse(startedAt)),
    exit === null || exit === 'completed' ? null : exit,
    cost === null || cost === 0 ? null : usd(cost, costBasis !== 'reported'),
  ].filter((fact) => fact !== null);
  return (
    <p className="flex shrink-0 items-center gap-2 px-5 pt-3 pb-1 text-small text-fg-2 max-sm:px-4">
      <Tile agent={agent} role={role === 'reviewer' || role === 'arbiter' ? 'reviews' : 'writes'} />
      <span>
        <Plain text={facts.join(' · ')} />
      </span>
    </p>
  );
}

function Prompt({ loop, name }: { readonly loop: number; readonly name: string }): JSX.Element {
  const { data, error } = useQuery(asking('readPrompt', { params: { id: loop, name } }));
  if (error !== null)
    return (
      <p role="alert" className="text-failed">
        <Plain text={error.message} />
      </p>
    );
  return (
    <>
      <pre className="text-[12px]/[18px] [overflow-wrap:anywhere] whitespace-pre-wrap">
        <Plain text={data?.text ?? ''} />
      </pre>
      {data?.cut === true ? (
        <p className="mt-2 text-small text-fg-3">It is longer than this; the transcript begins with all of it.</p>
      ) : null}
    </>
  );
}
