/** What a person may do about a mistake; null where the advice is for programs. */
export function remedyForPeople(remedy: string): string | null {
  return /\/api\/|\bseq\b/.test(remedy) || remedy.trim() === '' ? null : remedy;
}
