import { VolleyError } from '../core/errors.ts';
import type { OptionHelp } from './command.ts';
import { columns } from './print.ts';
import { COMMANDS } from './registry.ts';

/** The list of all commands. */
export function overview(): string[] {
  const rows = Object.entries(COMMANDS).map(([name, entry]) => [`  volley ${name}`, entry.summary]);
  return [
    'Volley runs agent-to-agent code review loops that end, with approvals you can trust.',
    '',
    ...columns([['  volley', 'the state of this project at a glance'], ...rows]),
    '',
    'volley help COMMAND tells more. Every command takes --json.',
  ];
}

/** How one command is used. */
export async function commandHelp(name: string): Promise<string[]> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) throw new VolleyError('bad-usage', `There is no command '${name}'.`, 'See volley help for all of them.');
  const { command } = await entry.load();
  const options: Record<string, OptionHelp> = { ...command.options, json: { type: 'boolean', help: 'one JSON object per line' } };
  const rows = Object.entries(options).map(([option, { value, short, help }]) => [
    `  ${short === undefined ? '' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  return [`volley ${command.usage}`, '', `  ${entry.summary}`, '', ...columns(rows)];
}
