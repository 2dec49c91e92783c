import type { JSX } from 'react';

/** One of a few, all of them to be seen. */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}): JSX.Element {
  return (
    <div role="group" aria-label={label} className="inline-flex w-fit shrink-0 rounded-2 shadow-[inset_0_0_0_1px_var(--line-strong)]">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="inline-flex h-[26px] items-center rounded-2 px-2.5 text-small whitespace-nowrap text-fg-2 hover:text-fg aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-fg aria-pressed:shadow-[inset_0_0_0_1px_var(--line-strong)] coarse:h-11"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
