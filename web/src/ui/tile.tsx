import type { JSX } from 'react';
import { seenText } from './hidden-characters.ts';

/** Our own accents for the agents that are known by name; any other one is a command. */
const ACCENTS: Readonly<Record<string, string>> = {
  claude: 'Cl text-agent-claude',
  codex: 'Cx text-agent-codex',
  gemini: 'Ge text-agent-gemini',
  opencode: 'Oc text-agent-opencode',
  builtin: 'Bi text-agent-builtin',
};

const SIZES = { small: 'size-[18px] text-[9px]', large: 'size-6 text-[10.5px]' } as const;

/** An agent in two letters. Square writes, round reviews. */
export function Tile({
  agent,
  role,
  size = 'small',
}: {
  readonly agent: string;
  readonly role: 'writes' | 'reviews';
  readonly size?: keyof typeof SIZES;
}): JSX.Element {
  const [letters, accent] = face(agent);
  return (
    <span
      aria-hidden
      title={seenText(agent)}
      className={`inline-grid shrink-0 place-items-center bg-[color-mix(in_oklab,currentColor_15%,var(--surface))] font-bold shadow-[inset_0_0_0_1px_color-mix(in_oklab,currentColor_38%,transparent)] ${SIZES[size]} ${role === 'reviews' ? 'rounded-full' : 'rounded-1'} ${accent}`}
    >
      {letters}
    </span>
  );
}

function face(agent: string): readonly [letters: string, accent: string] {
  // Behind its name may stand the model that a task type chose for it.
  const known = ACCENTS[agent.split('@')[0] ?? '']?.split(' ');
  if (known !== undefined) return [known[0] ?? '', known[1] ?? ''];
  const letters = Array.from(agent.replace(/[^\p{L}\p{N}]/gu, ''))
    .slice(0, 2)
    .join('');
  return [letters === '' ? '$_' : `${letters[0]?.toUpperCase() ?? ''}${letters.slice(1).toLowerCase()}`, 'text-agent-command'];
}

/** A person, in ink. */
export function Person({ name, size = 'small' }: { readonly name: string; readonly size?: keyof typeof SIZES }): JSX.Element {
  return (
    <span
      aria-hidden
      title={seenText(name)}
      className={`inline-grid shrink-0 place-items-center rounded-full bg-ink font-bold text-on-ink ${SIZES[size]}`}
    >
      {(Array.from(seenText(name.trim()))[0] ?? '').toUpperCase()}
    </span>
  );
}
