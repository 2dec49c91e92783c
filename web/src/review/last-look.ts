/** What of the browser's storage is used here. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

/** What this browser looked at last: which commit of the loop, and when. */
export type LastLook = { readonly commit: string; readonly at: string };

const KEY = 'volley.last-look';
/** The looks that are kept; the oldest are forgotten, because storage is small. */
const MOST = 200;

type Looks = Readonly<Record<string, LastLook>>;

/** What was looked at last; null where this browser never did. A loop is known by its uid, because numbers are those of one project. */
export function lastLook(shelf: Shelf, uid: string): LastLook | null {
  return read(shelf)[uid] ?? null;
}

/** Remembers what was looked at. */
export function rememberLook(shelf: Shelf, uid: string, look: LastLook): void {
  const looks = Object.entries({ ...read(shelf), [uid]: look })
    .toSorted(([, a], [, b]) => b.at.localeCompare(a.at))
    .slice(0, MOST);
  try {
    shelf.setItem(KEY, JSON.stringify(Object.fromEntries(looks)));
  } catch {
    // A browser that keeps nothing shows the whole change, as for the first time.
  }
}

const KEPT = 'volley.look-before';

/**
 * What was seen before this visit. A reload, or a step to the board and back, is the same visit: what the tab began with holds (`kept`)
 * until something is newer than what was looked at last.
 */
export function lookBefore(shelves: { readonly browser: Shelf; readonly tab: Shelf }, uid: string, head: string): LastLook | null {
  const last = lastLook(shelves.browser, uid);
  const kept = readKept(shelves.tab, uid);
  const before = kept !== undefined && (last === null || last.commit === head) ? kept : last;
  try {
    shelves.tab.setItem(`${KEPT}.${uid}`, JSON.stringify(before));
  } catch {
    // Without it a reload is a new visit.
  }
  return before;
}

/** Undefined where this tab has not seen the loop; null where it did as the first. */
function readKept(tab: Shelf, uid: string): LastLook | null | undefined {
  const text = tab.getItem(`${KEPT}.${uid}`);
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === 'object' && kept !== null ? onlyLooks({ kept })['kept'] : null;
  } catch {
    // What cannot be read was not written here.
    return undefined;
  }
}

function read(shelf: Shelf): Looks {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? onlyLooks(kept) : {};
  } catch {
    // What cannot be read was not written here.
    return {};
  }
}

function onlyLooks(kept: object): Looks {
  const entries: [string, LastLook][] = Object.entries(kept).flatMap(([uid, look]: [string, unknown]) => {
    if (typeof look !== 'object' || look === null || !('commit' in look) || !('at' in look)) return [];
    const { commit, at } = look;
    return typeof commit === 'string' && typeof at === 'string' ? [[uid, { commit, at }]] : [];
  });
  return Object.fromEntries(entries);
}
