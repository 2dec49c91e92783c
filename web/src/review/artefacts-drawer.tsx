import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { LoopView } from '../../../src/core/view.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { DrawerFrame } from './drawer-frame.tsx';
import { usePlace } from './place.ts';
import { askArtefacts } from './questions.ts';
import { SessionText } from './session-text.tsx';

const KINDS = { document: 'Review', twin: 'As JSON', transcript: 'Transcript' } as const;

/** What a loop has written, and one of it as text. */
export function ArtefactsDrawer({ loop, name }: { readonly loop: LoopView; readonly name: string | null }): JSX.Element {
  const { go } = usePlace();
  const { data } = useQuery(askArtefacts(loop.id));
  if (name !== null)
    return (
      <DrawerFrame
        icon="doc"
        title={name}
        wide
        acts={
          <Button kind="ghost" size="small" onClick={() => go({ drawer: 'artefacts' })}>
            All artefacts
          </Button>
        }
      >
        <SessionText key={name} loop={loop.id} name={name} running={false} />
      </DrawerFrame>
    );
  return (
    <DrawerFrame icon="doc" title="Artefacts">
      <ul className="min-h-0 flex-1 overflow-y-auto p-2.5">
        {data?.map((artefact) => (
          <li key={artefact.name}>
            <button
              type="button"
              disabled={artefact.bytes === null}
              onClick={() => go({ drawer: `artefacts:${artefact.name}` })}
              className="flex min-h-10 w-full items-center gap-2.5 rounded-2 px-2.5 text-left hover:bg-selected disabled:opacity-50"
            >
              <Icon name={artefact.kind === 'transcript' ? 'term' : 'doc'} />
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  <Plain text={artefact.name} />
                </span>
                <span className="block truncate text-small text-fg-3">
                  {KINDS[artefact.kind]} · <Plain text={artefact.path} />
                </span>
              </span>
              <span className="text-small text-fg-3">{artefact.bytes === null ? 'gone' : size(artefact.bytes)}</span>
            </button>
          </li>
        ))}
        {data?.length === 0 ? <li className="px-2.5 py-2 text-fg-3">It has written nothing yet.</li> : null}
      </ul>
    </DrawerFrame>
  );
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
