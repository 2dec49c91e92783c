type OnBoard = { readonly q?: string | undefined; readonly by?: 'state' | 'run' | undefined };

/** The board with the form for a task on it: who is there keeps their filter and grouping, who comes from elsewhere has none. */
export function newTask({ q, by }: OnBoard): OnBoard & { readonly new: true } {
  return { ...(location.pathname === '/' ? { q, by } : {}), new: true };
}
