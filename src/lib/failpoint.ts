import { setTimeout as sleep } from 'node:timers/promises';

const DELAY_MS = 30;

/**
 * A place between an effect and its record at which tests break the program. It does nothing unless VOLLEY_FAILPOINT
 * is `FAULT:NAME`, with the name of the place or `*` for all of them.
 */
export async function failpoint(name: string): Promise<void> {
  const [fault = '', wanted] = process.env['VOLLEY_FAILPOINT']?.split(':') ?? [];
  if (wanted !== name && wanted !== '*') return;
  switch (fault) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return;
    case 'freeze':
      process.kill(process.pid, 'SIGSTOP');
      return;
    case 'throw':
      throw new Error(`failpoint ${name}`);
    case 'full':
      throw Object.assign(new Error(`ENOSPC: no space left on device, failpoint ${name}`), { code: 'ENOSPC' });
    case 'delay':
      await sleep(DELAY_MS);
      return;
    case 'list':
      process.stderr.write(`failpoint ${name}\n`);
      return;
    default:
      throw new Error(`VOLLEY_FAILPOINT has no fault '${fault}'`);
  }
}
