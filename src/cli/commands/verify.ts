import { loopId } from '../loop-id.ts';
import type { Command } from '../command.ts';
import { printVerification } from '../print-verify.ts';

const USAGE = 'verify ID';

/** What does not hold: the same code as of a review that does not approve. */
const NOT_PROVEN = 3;

/** `volley verify ID`: whether an approval is what it says. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const id = loopId(typed, USAGE);
    const { verifyTask } = await import('../../app-verify.ts');
    const verified = await verifyTask(io.cwd, id);
    printVerification(verified, io);
    return verified.verification.holds ? 0 : NOT_PROVEN;
  },
};
