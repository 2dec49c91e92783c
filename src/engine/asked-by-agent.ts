import { isAgentName } from '../core/agent-name.ts';
import type { Store } from '../store/store.ts';

/** Whether a loop was started by an agent that used Volley's tools, as its journal tells. */
export async function isAskedByAgent(store: Pick<Store, 'journal'>, id: number): Promise<boolean> {
  const [first] = await store.journal(id);
  return first?.event.type === 'created' && isAgentName(first.event.by);
}
