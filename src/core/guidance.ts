import type { Loop } from './loop.ts';

/** The loop with words of a person for the next author, fixer and arbiter; none where nobody said anything. */
export function withGuidance(loop: Loop, event: { readonly by: string; readonly reason: string | null }): Loop {
  const text = (event.reason ?? '').trim();
  return text === '' ? loop : { ...loop, guidance: [...loop.guidance, { by: event.by, text }] };
}
