import type { JSX } from 'react';
import type { LoopView } from '../../../src/core/view.ts';
import { ArtefactsDrawer } from './artefacts-drawer.tsx';
import { readDrawer } from './drawer-name.ts';
import { GatesDrawer } from './gates-drawer.tsx';
import { usePlace } from './place.ts';
import { ProofDrawer } from './proof-drawer.tsx';
import { SessionDrawer } from './session-drawer.tsx';
import type { PanelFacts } from './use-panel.ts';

/** What lies open beside the diff, and pushes it: the proof of a review, a session, what the gates printed. */
export function Drawer({ loop, facts }: { readonly loop: LoopView; readonly facts: PanelFacts }): JSX.Element | null {
  const { place } = usePlace();
  const open = readDrawer(place.drawer);
  if (open === null) return null;
  switch (open.what) {
    case 'proof':
      return <ProofDrawer loop={loop} round={open.round ?? loop.rounds.at(-1)?.round ?? null} sessions={facts.sessions} />;
    case 'gates':
      return <GatesDrawer loop={loop} run={open.run} />;
    case 'session':
      return <SessionDrawer loop={loop} name={open.session} sessions={facts.sessions} />;
    case 'artefacts':
      return <ArtefactsDrawer loop={loop} name={open.name} />;
  }
}
