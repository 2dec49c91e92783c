import { basename } from 'node:path';
import type { App } from './app.ts';
import { agentDesk } from './app-agent-desk.ts';
import { openChanges } from './app-changes.ts';
import { openControlDesk } from './app-control.ts';
import { resultDesk } from './app-results.ts';
import { settingsDesk } from './app-settings-desk.ts';
import { taskDesk } from './app-tasks.ts';
import { trustFromNow } from './app-trusted-commit.ts';
import type { Desk } from './engine/desk.ts';
import { openTranscriptReader } from './store/transcript-reader.ts';

/** The desk of an open project; `stir` wakes whoever drives loops here, and for agents counts what is trusted from now on, unless it was fixed before. */
export function openDesk(app: App, stir = (): void => app.engine.dispatcher.stir(), trusted = trustFromNow(app.project)): Desk {
  return {
    engine: app.engine,
    project: { name: basename(app.project.root), root: app.project.root },
    person: app.person.name,
    tasks: taskDesk(app, stir),
    changes: openChanges(app),
    results: resultDesk(app),
    agents: agentDesk(app),
    settings: settingsDesk(app),
    control: openControlDesk(app, trusted),
    live: { bus: app.bus, transcripts: openTranscriptReader(app.project.root) },
    stir,
  };
}
