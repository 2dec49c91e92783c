import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Button, buttonLooks } from '../ui/button.tsx';
import { Plain } from '../ui/plain.tsx';

/** Says what is wrong, what was kept, and offers the one thing to do. */
export function Trouble({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <main className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="text-page font-semibold tracking-tight">{title}</h1>
      <p className="max-w-[60ch] text-body text-fg-2">
        <Plain text={text} />
      </p>
      {children}
    </main>
  );
}

const toBoard = (
  <Link to="/" className={buttonLooks({ kind: 'primary' })}>
    Back to the board
  </Link>
);

/** For an address that leads nowhere. */
export function Lost(): JSX.Element {
  return (
    <Trouble title="There is nothing here" text="The address is none of this app.">
      {toBoard}
    </Trouble>
  );
}

/** For a page that broke. What broke in this page is gone only with it, so that it is loaded anew. */
export function Broken({ error }: { readonly error: unknown }): JSX.Element {
  return (
    <Trouble
      title="This page broke"
      text={`${error instanceof Error ? error.message : String(error)} Nothing was lost: what you see is read from the server.`}
    >
      <div className="flex gap-2">
        <Button kind="primary" onClick={() => location.reload()}>
          Load it again
        </Button>
        <a href="/" className={buttonLooks({})}>
          Back to the board
        </a>
      </div>
    </Trouble>
  );
}
