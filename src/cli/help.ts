import type { OptionHelp } from './command.ts';
import { columns } from './print.ts';
import { COMMANDS } from './registry.ts';
import { textWidth } from './report/text-width.ts';
import { wrap } from './report/wrap.ts';
import { unknownCommand } from './unknown-command.ts';

/** The list of all commands. */
export function overview(): string[] {
  const rows = Object.entries(COMMANDS).map(([name, entry]) => [`  volley ${name}`, entry.summary]);
  return [
    'Volley runs agent-to-agent code review loops that end, with approvals you can trust.',
    '',
    ...columns([['  volley', 'the state of this project at a glance, and what needs you'], ...rows]),
    '',
    'volley help COMMAND tells more. Every command takes --json.',
  ];
}

/** How one command is used. */
export async function commandHelp(name: string, width: number): Promise<string[]> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) throw unknownCommand(name);
  const { command } = await entry.load();
  const options: Record<string, OptionHelp> = { ...command.options, json: { type: 'boolean', help: 'one JSON object per line' } };
  const rows = Object.entries(options).map(([option, { value, short, help }]) => [
    `  ${short === undefined ? '' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  const more = command.more === undefined ? [] : ['', ...wrap(command.more, width)];
  return [...usageLines(`volley ${command.usage}`, width), '', `  ${entry.summary}`, '', ...columns(rows), ...more];
}

/** A usage on as many lines as it needs; what stands in brackets stays together. */
export function usageLines(usage: string, width: number): string[] {
  const lines: string[] = [];
  for (const [part] of usage.matchAll(/(?:\[(?:[^[\]]|\[[^\]]*\])*\]|\S)+/g)) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${part}`) <= width) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(last === undefined ? part : `    ${part}`);
  }
  return lines;
}
