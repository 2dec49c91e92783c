type Place = {
  readonly element: HTMLElement;
  readonly article: HTMLElement | null;
  readonly section: HTMLElement | null;
  readonly at: number;
};

let place: Place | null = null;

/** Remembers where the focus is before something is laid over the page; what is in a menu is its button, and what is in a dialog nothing new. */
export function rememberFocus(): void {
  const { activeElement: active } = document;
  const menu = active?.closest('[role="menu"]');
  const element = menu == null ? active : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  if (!(element instanceof HTMLElement) || element === document.body || element.closest('[role="dialog"]') !== null) return;
  const article = element.closest<HTMLElement>('article');
  const section = element.closest<HTMLElement>('section');
  const at = article === null || section === null ? 0 : articlesOf(section).indexOf(article);
  place = { element, article, section, at };
}

/** Gives the focus back to where it was; where that is gone, to the card that stands there now, or to the name of its column. */
export function giveBackFocus(): void {
  if (place === null || document.querySelector('[role="dialog"]') !== null) return;
  const { element, article, section, at } = place;
  const cards = section === null ? [] : articlesOf(section);
  const next = cards[Math.min(at, cards.length - 1)];
  const places = [element, linkOf(article), linkOf(next), section?.querySelector<HTMLElement>('h2')];
  for (const one of places) {
    if (one?.isConnected !== true) continue;
    one.focus();
    if (document.activeElement === one) return;
  }
}

function articlesOf(section: HTMLElement): readonly HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>('article')];
}

function linkOf(card: HTMLElement | null | undefined): HTMLElement | null {
  return card?.querySelector<HTMLElement>('a') ?? null;
}

/** Whether nothing has the focus, because what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
