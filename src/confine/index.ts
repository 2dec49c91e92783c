import { bubblewrapConfinement } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { copyConfinement } from './copy.ts';
import { probe } from './probe.ts';

/** How agents are held on this machine; where that is not by the operating system, why not and what to do, unless it was asked for. */
export type Choice = { readonly confinement: Confinement; readonly why: string | null; readonly remedy: string | null };

/** Chooses the strictest confinement that was seen to hold on this machine, and no stricter one than `most`. */
export async function chooseConfinement({ stateDir, most }: { readonly stateDir: string; readonly most: 'os' | 'copy' }): Promise<Choice> {
  if (most === 'copy') return { confinement: copyConfinement(), why: null, remedy: null };
  const found = await probe(stateDir);
  if (found.level === 'copy') return { confinement: copyConfinement(), why: found.why, remedy: found.remedy };
  return { confinement: bubblewrapConfinement({ program: found.program, stateDir }), why: null, remedy: null };
}
