import { fakeAgent, fakeEnded } from '../../src/agents/fake.ts';
import type { Confinement } from '../../src/confine/confinement.ts';
import { localDispatcher } from '../../src/dispatch/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { fakeWorkspace } from '../../src/git/fake.ts';
import type { Store } from '../../src/store/store.ts';

/** Holds nobody. */
const UNHELD: Confinement = {
  level: 'copy',
  hold: async (launch) => await Promise.resolve({ ...launch, launcher: [], network: null, close: async () => {} }),
};

/** An engine that touches no disk and starts nothing, on a store, with some of its parts replaced. */
export function fakeEngine(store: Store, parts: Partial<Engine> = {}): Engine {
  return {
    store,
    dispatcher: localDispatcher(store),
    workspace: fakeWorkspace(),
    confinement: UNHELD,
    artefacts: {
      write: async () => {},
      exists: async () => true,
      bytes: async () => null,
      read: async () => null,
      openTranscript: async (name) => ({ path: name, write: () => {}, close: () => {} }),
      makeSessionFolder: async (name) => ({ dir: `/fake/sessions/${name}`, remove: async () => {} }),
      removeSessionFolders: async () => {},
    },
    home: '/fake/home',
    createAgent: (spec) => fakeAgent({ name: spec.name, script: () => [fakeEnded('{}')] }),
    price: async () => null,
    openChannel: () => Promise.reject(new Error('there is no channel')),
    runGate: () => Promise.reject(new Error('there are no gates')),
    gateMatches: () => false,
    killMarked: async () => 0,
    now: () => new Date().toISOString(),
    report: () => {},
    ...parts,
  };
}
