import { toast } from './toast.tsx';

/** Copies a text and says so, or says that it could not be, and where it is to be had instead. */
export async function copyText(text: string, { said, instead = insteadOf(text) }: { said: string; instead?: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ kind: 'done', text: said });
  } catch {
    // There is no clipboard on a page that came over a network without TLS, and browsers may refuse it elsewhere.
    toast({ kind: 'refused', text: `This browser does not let the page copy. ${instead}` });
  }
}

const MOST_TOLD = 200;

function insteadOf(text: string): string {
  return text.length > MOST_TOLD || text.includes('\n') ? 'Select it, and copy it by hand.' : `It is: ${text}`;
}
