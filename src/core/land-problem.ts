import type { Loop } from './loop.ts';

/** Whether a person brought the newest commit of a loop to a branch of theirs. */
export function isLanded({ landed, head }: Pick<Loop, 'landed' | 'head'>): boolean {
  return landed !== null && landed.commit === head?.commit;
}

/** Why the work of a loop cannot be landed now, and what to do about it; null if it can. */
export function landProblem(loop: Loop): { readonly message: string; readonly remedy: string } | null {
  const approved = loop.state === 'approved' && loop.approval !== null;
  if (loop.head === null || (!approved && loop.state !== 'ready_for_human_review')) {
    const remedy =
      loop.state === 'pending_self_review' ? `volley review ${loop.id} has it reviewed.` : `See volley show ${loop.id} for what it needs.`;
    return { message: `Task ${loop.id} is not approved; it is ${loop.state}.`, remedy };
  }
  if (loop.pushed === null) return null;
  return {
    message: `Somebody moved ${loop.branch} after task ${loop.id} came to its end, and nobody reviewed what is there now.`,
    remedy: `Have it reviewed with volley takeover ${loop.id} and volley handback ${loop.id}, or merge the branch by hand.`,
  };
}
