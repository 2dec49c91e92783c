/** What lies open beside the diff. */
export type DrawerName =
  | { readonly what: 'proof'; readonly round: number | null }
  | { readonly what: 'gates'; readonly run: number | null }
  | { readonly what: 'session'; readonly session: string }
  | { readonly what: 'artefacts'; readonly name: string | null };

/** What an address wants open: `proof`, `proof:2`, `gates:9`, `session:task-1-2-author.log`, `artefacts`, or one of those by its name. */
export function readDrawer(text: string | undefined): DrawerName | null {
  const [what = '', ...rest] = (text ?? '').split(':');
  const of = rest.join(':');
  const number = /^[1-9]\d{0,8}$/.test(of) ? Number(of) : null;
  const isNumbered = what === 'proof' || what === 'gates';
  if (isNumbered && number === null && of !== '') return null;
  switch (what) {
    case 'proof':
      return { what, round: number };
    case 'gates':
      return { what, run: number };
    case 'session':
      return of === '' ? null : { what, session: of };
    case 'artefacts':
      return { what, name: of === '' ? null : of };
    default:
      return null;
  }
}
