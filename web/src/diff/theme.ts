import { registerCustomTheme } from '@pierre/diffs';
import type { DiffsTheme } from '@pierre/diffs';

/** The name of our theme. */
export const THEME = 'volley';

const PREFIX = '--syn-';

/** Which token colours which kind of word. They are variables, so that light and dark need no second highlighting. */
const SYNTAX = {
  comment: { color: 'comment', font_style: 'italic' },
  string: 'string',
  'text.literal': 'string',
  keyword: 'keyword',
  preproc: 'keyword',
  boolean: 'number',
  number: 'number',
  'constant.builtin': 'number',
  'string.escape': 'number',
  function: 'function',
  constructor: 'type',
  type: 'type',
  attribute: 'type',
  tag: 'keyword',
  selector: 'type',
  'property.json_key': 'function',
  operator: 'punct',
  punctuation: 'punct',
  title: { color: 'keyword', font_weight: 600 },
  emphasis: { font_style: 'italic' },
  'emphasis.strong': { font_weight: 600 },
  link_text: 'function',
  link_uri: 'string',
  'diff.plus': 'string',
  'diff.minus': 'number',
} as const;

const DEFAULTS = { foreground: 'var(--text)', background: 'var(--surface)' };

const theme: DiffsTheme = {
  name: THEME,
  // Either would do: the colours follow the page.
  type: 'light',
  fg: 'var(--text)',
  bg: 'var(--surface)',
  colors: { 'editor.foreground': 'var(--text)', 'editor.background': 'var(--surface)' },
  cssVariables: { name: THEME, variablePrefix: PREFIX, variableDefaults: DEFAULTS, fontStyle: true },
  zed: {
    name: THEME,
    appearance: 'light',
    cssVariables: { prefix: PREFIX, defaults: DEFAULTS },
    style: { 'editor.foreground': 'foreground', 'editor.background': 'background', syntax: SYNTAX },
  },
};

/** Makes our theme known to the viewer; once is enough. */
export function registerTheme(): void {
  registerCustomTheme(THEME, async () => await Promise.resolve(theme), 'diffs');
}
