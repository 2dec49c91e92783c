import type { JSX } from 'react';

/** A key of the keyboard; where nobody has one it is not shown. It is a hint beside words: only a map of keys says it aloud. */
export function Key({ name, said = false }: { readonly name: string; readonly said?: boolean }): JSX.Element {
  return (
    <kbd
      aria-hidden={!said}
      className="ml-0.5 inline-block h-[17px] min-w-[17px] rounded-1 border border-[color-mix(in_oklab,currentColor_40%,transparent)] px-1 text-center font-sans text-micro/[15px] font-normal coarse:hidden"
    >
      {name}
    </kbd>
  );
}
