import type { Command, Io } from '../command.ts';
import { clean, columns, paint } from '../print.ts';

/** `volley login claude`: a login of Volley's own, by the agent's own program. */
export const command: Command = {
  usage: 'login [AGENT] [-- MORE…]',
  options: {},
  run: async (typed, io) => {
    const { logIn, WITH_LOGIN } = await import('../../app-login.ts');
    const [agent, ...more] = typed.positionals;
    if (agent === undefined) {
      const rows = await Promise.all(WITH_LOGIN.map(async (name) => [`  ${name}`, (await stateOf(name, io)).text]));
      for (const line of columns(rows)) io.out(line);
      return 0;
    }
    const code = await logIn(agent, { more, quiet: io.json });
    io.out('');
    const { text, isIn } = await stateOf(agent, io);
    const ended = code === 0 ? '' : `${agent} ended its login with exit code ${code}. `;
    io.out(isIn ? `${ended}${agent}: ${text}` : paint(io, 'yellow', `${ended}${agent}: ${text}`));
    return code === 0 && isIn ? 0 : 1;
  },
};

async function stateOf(name: string, io: Io): Promise<{ readonly text: string; readonly isIn: boolean }> {
  const { loginOf } = await import('../../app-login.ts');
  const found = await loginOf(name);
  io.object({ type: 'login', v: 1, agent: name, version: found?.version ?? null, login: found?.login ?? null });
  return found === null ? { text: 'not installed', isIn: false } : { text: clean(found.login.text), isIn: found.login.by !== 'none' };
}
