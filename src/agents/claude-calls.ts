import { z } from 'zod';

/** Follows which tools are at work in a session of Claude Code, of which its stream says nothing until they are done. */
export type ClaudeCalls = {
  /** Takes a line of the stream. */
  readonly take: (line: unknown) => void;
  readonly areOpen: () => boolean;
};

const Part = z.object({ type: z.string(), id: z.string().nullish(), tool_use_id: z.string().nullish() });
const Line = z.object({ type: z.string(), message: z.object({ content: z.array(Part).catch([]) }).nullish() });

/** A follower for one session; the calls of sub-agents are among the others. */
export function followCalls(): ClaudeCalls {
  const open = new Set<string>();
  return {
    take(line) {
      const { data } = Line.safeParse(line);
      if (data?.type === 'result') open.clear();
      for (const { type, id, tool_use_id: of } of data?.message?.content ?? []) {
        if (type === 'tool_use' && typeof id === 'string') open.add(id);
        if (type === 'tool_result' && typeof of === 'string') open.delete(of);
      }
    },
    areOpen: () => open.size > 0,
  };
}
