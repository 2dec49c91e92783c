import type { JSX } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Key } from '../ui/key.tsx';
import { KEY_GROUPS } from './keys.ts';
import { closeOverlay } from './overlays.ts';

/** Every key and what it does. */
export function KeyMap(): JSX.Element {
  return (
    <Dialog title="Keys" lead="They are off while you type." onClose={closeOverlay} wide>
      <div className="mt-4 columns-2 gap-x-10 max-sm:columns-1">
        {KEY_GROUPS.map(({ title, lines }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-small text-fg-3">{title}</h3>
            <dl>
              {lines.map(({ does, keys }) => (
                <div key={does} className="flex h-7 items-center">
                  <dt className="flex-1">{does}</dt>
                  <dd className="flex gap-1.5">
                    {keys.map((chord) => (
                      <span key={chord.join(' ')}>
                        {chord.map((key) => (
                          <Key key={key} name={key} said />
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
