import type { Confinement } from './confinement.ts';
import { copyConfinement } from './copy.ts';

/** The strictest confinement that holds on this machine. */
export function chooseConfinement(): Confinement {
  return copyConfinement();
}
