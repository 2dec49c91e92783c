/** One thing that was looked at: whether it is as loops need it, in words, and what to do if not. */
export type Check = {
  readonly name: string;
  /** `problem`: a loop would fail. `warning`: it would not do what one may expect. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly remedy: string | null;
};

/** Something that is as it should be. */
export function ok(name: string, text: string): Check {
  return { name, status: 'ok', text, remedy: null };
}

/** Something that loops can live with. */
export function warning(name: string, text: string, remedy: string): Check {
  return { name, status: 'warning', text, remedy };
}

/** Something that loops cannot live with. */
export function problem(name: string, text: string, remedy: string): Check {
  return { name, status: 'problem', text, remedy };
}
