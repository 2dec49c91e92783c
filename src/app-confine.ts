import { stateFolder } from './app-files.ts';
import { chooseConfinement } from './confine/index.ts';
import type { Choice } from './confine/index.ts';
import { AS_FLAGS } from './config/called.ts';
import { VolleyError } from './core/errors.ts';

/** The confinement of this machine; `VOLLEY_CONFINE=copy` asks for less than it has. */
export async function openConfinement(): Promise<Choice> {
  const asked = process.env['VOLLEY_CONFINE'] ?? '';
  if (asked !== '' && asked !== 'os' && asked !== 'copy') {
    throw new VolleyError(
      'bad-config',
      `VOLLEY_CONFINE is '${asked}'.`,
      'Set it to os or to copy, or leave it out for the best that this machine has.',
    );
  }
  return await chooseConfinement({ stateDir: stateFolder(), most: asked === 'copy' ? 'copy' : 'os' });
}

/** Refuses what must be held by the operating system where that cannot be. */
export function requireHeld(isRequired: boolean, { confinement, why, remedy }: Choice, called = AS_FLAGS): void {
  if (!isRequired || confinement.level === 'os') return;
  throw new VolleyError(
    'no-sandbox',
    `A sandbox of the operating system is required, and there is none${why === null ? '.' : `: ${why}`}`,
    remedy ?? `Leave out ${called.requireSandbox} and confine.required.`,
  );
}
