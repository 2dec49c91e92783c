import { Dialog as Radix } from 'radix-ui';
import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { giveBackFocus, rememberFocus } from './focus.ts';
import { Plain } from './plain.tsx';

/** A question that has to be answered before anything else; `onClose` is leaving it unanswered. */
export function Dialog({
  title,
  lead,
  onClose,
  children,
  wide = false,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}): JSX.Element {
  useState(rememberFocus);
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-(--z-dialog) bg-scrim" />
        <Radix.Content
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus();
          }}
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
          className={`fixed top-[12vh] left-1/2 z-(--z-dialog) max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 overflow-y-auto rounded-3 bg-raised p-5 shadow-dialog focus-visible:outline-none ${wide ? 'max-w-[680px]' : 'max-w-[460px]'}`}
        >
          <Radix.Title className="text-title font-semibold tracking-tight text-balance">
            <Plain text={title} />
          </Radix.Title>
          {lead === undefined ? null : <Radix.Description className="mt-1 text-body text-fg-2">{lead}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
