import type { App } from './app.ts';
import { requireBrought } from './app-landed.ts';
import { VolleyError } from './core/errors.ts';
import type { Landed, ResultDesk } from './engine/result-desk.ts';

/** What can be done with what loops came to, in an open project; nothing that may take long is done twice at once. */
export function resultDesk(app: App): ResultDesk {
  const verifying = oneAtATime('A verification is under way.');
  const landing = oneAtATime('A landing is under way.');
  return {
    verify: async (id) =>
      await verifying(async () => {
        const { verifyTask } = await import('./app-verify.ts');
        return await verifyTask(app.project.root, id);
      }),
    land: async (id, how) =>
      await landing(async () => {
        const landed = await app.land(await app.load(id), how);
        return landedOf(landed.onto, requireBrought(id, landed));
      }),
  };
}

/** Refuses work while other work of its kind is under way. */
function oneAtATime(what: string): <T>(work: () => Promise<T>) => Promise<T> {
  let isBusy = false;
  return async (work) => {
    if (isBusy) throw new VolleyError('busy', what, 'Try again when it is done.');
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
}

function landedOf(onto: string, result: ReturnType<typeof requireBrought>): Landed {
  return {
    onto,
    kind: result.kind,
    from: 'from' in result ? result.from : null,
    to: 'to' in result ? result.to : null,
    files: 'files' in result ? result.files : [],
  };
}
