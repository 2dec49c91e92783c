import { problem } from './app-check.ts';
import type { Check } from './app-check.ts';
import { checkConfiguration } from './app-check-configuration.ts';
import { checkMachine } from './app-check-machine.ts';
import { checkRepository } from './app-check-repository.ts';
import { lookAtRepository } from './app-repository.ts';
import type { Repository } from './app-repository.ts';
import { VolleyError } from './core/errors.ts';
import type { Settings } from './core/settings.ts';

export type { Check } from './app-check.ts';

/** What is known after a look at everything; `settings` are those of a review, null where the configuration is broken. */
export type Examination = {
  readonly checks: readonly Check[];
  readonly repository: Repository | null;
  readonly settings: Settings | null;
};

/** Looks at all that loops need on this machine and in the project that a folder belongs to; nothing is changed. */
export async function examine(cwd: string): Promise<Examination> {
  const machine = await checkMachine();
  if (machine.some(({ name, status }) => name === 'git' && status === 'problem'))
    return { checks: machine, repository: null, settings: null };
  const repository = await look(cwd);
  if (repository instanceof VolleyError) {
    return { checks: [...machine, problem('repository', repository.message, repository.remedy)], repository: null, settings: null };
  }
  const [about, { checks, settings }] = await Promise.all([checkRepository(repository), checkConfiguration(repository)]);
  return { checks: [...machine, ...about, ...checks], repository, settings };
}

async function look(cwd: string): Promise<Repository | VolleyError> {
  try {
    return await lookAtRepository(cwd);
  } catch (error) {
    if (error instanceof VolleyError) return error;
    throw error;
  }
}
