import type { CSSProperties } from 'react';

/** The heights that the viewer reckons with; they must be those that the rules below give. */
export const METRICS = {
  lineHeight: 20,
  diffHeaderHeight: 40,
  hunkSeparatorHeight: 28,
  spacing: 8,
  paddingTop: 0,
  paddingBottom: 8,
} as const;

/** What the viewer takes from our tokens, for its outside. */
export const VIEWER_VARIABLES: CSSProperties & Readonly<Record<`--${string}`, string>> = {
  '--diffs-font-family': 'var(--font-mono)',
  '--diffs-header-font-family': 'var(--font-sans)',
  '--diffs-font-size': '12.5px',
  '--diffs-line-height': '20px',
  '--diffs-tab-size': '4',
  '--diffs-bg-context-override': 'var(--note)',
  '--diffs-bg-context-gutter-override': 'var(--surface)',
  '--diffs-bg-separator-override': 'var(--sunken)',
  '--diffs-bg-buffer-override': 'transparent',
  '--diffs-fg-number-override': 'var(--text-3)',
  '--diffs-addition-color-override': 'var(--add-bar)',
  '--diffs-deletion-color-override': 'var(--del-bar)',
  '--diffs-modified-color-override': 'var(--focus)',
  '--diffs-bg-addition-override': 'var(--add-bg)',
  '--diffs-bg-deletion-override': 'var(--del-bg)',
  '--diffs-bg-addition-emphasis-override': 'var(--add-word)',
  '--diffs-bg-deletion-emphasis-override': 'var(--del-word)',
  '--diffs-fg-number-addition-override': 'var(--add-text)',
  '--diffs-fg-number-deletion-override': 'var(--del-text)',
};

const ROWS = ':is([data-line],[data-column-number],[data-gutter-buffer],[data-no-newline])';

/** The rules inside of each file, where those of the page do not reach. */
export const VIEWER_CSS = `
:host { color-scheme: inherit; contain: layout style; }
[data-line-type=change-addition]${ROWS} { --diffs-computed-diff-line-bg: var(--add-bg); }
[data-line-type=change-deletion]${ROWS} { --diffs-computed-diff-line-bg: var(--del-bg); }
[data-diffs-header] { background: var(--surface); z-index: 3; }

[data-column-number], [data-gutter-buffer] { border-right: 0; }
[data-column-number] { padding: 0 12px 0 10px; font-size: 12px; }
[data-line-number-content] { min-width: 30px; }
[data-gutter-buffer] { padding: 0 12px 0 10px; }
[data-gutter-buffer]::before { min-width: 30px; }
[data-line], [data-no-newline] { padding-inline: 10px 16px; }
[data-no-newline] { color: var(--text-3); font-size: 11px; }
[data-no-newline] span { opacity: 1; }
[data-indicators=bars] [data-line-type=change-deletion][data-column-number]::before {
  background-image: linear-gradient(var(--del-bar) 60%, transparent 60%);
  background-size: 4px 5px;
}
[data-line][data-return]::after { content: 'CR'; margin-left: 4px; border-radius: 3px; padding: 0 4px; background: var(--failed-tint); color: var(--failed); font-size: 10px; line-height: 1; }
[data-diff-span] { padding-block: 2px; }

[data-separator=line-info-basic] { height: 28px; background: var(--sunken); font-size: 12px; }
[data-separator-wrapper] { background: var(--sunken); }
[data-expand-button], [data-separator-content] { background: transparent; color: var(--text-3); border: 0 !important; }
[data-separator-content] { padding-inline: 10px; }
[data-gutter] [data-separator=line-info-basic] [data-separator-wrapper] { display: grid; grid-template-columns: 100% max-content max-content; justify-content: start; }
[data-expand-button][data-expand-all-button] { display: flex; grid-area: 1 / 3 / -1; padding-inline: 10px; }
@media not (pointer: fine) {
  [data-gutter] [data-separator=line-info-basic] [data-separator-wrapper][data-separator-multi-button] {
    grid-template-columns: 50% 50% max-content max-content;
  }
  [data-separator-multi-button] > [data-expand-all-button] { grid-column: 4; }
}
[data-expand-all-button]:hover { text-decoration: underline; }
[data-separator=line-info-basic]:hover :is([data-expand-button],[data-separator-content]) { color: var(--text); }
[data-expand-button]:focus-visible, code:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
:host([data-cut]) [data-expand-button] { visibility: hidden; }
:host([data-cut]) [data-separator-content] { pointer-events: none; }
:host(:is([data-cut],[data-at-end])) [data-separator-last] { background: transparent; }
:host(:is([data-cut],[data-at-end])) [data-separator-last] > * { visibility: hidden; }

[data-diff-type=split] [data-additions] { border-left-color: var(--line); }
[data-content-buffer], [data-gutter-buffer=buffer] {
  background: color-mix(in oklab, var(--sunken) 55%, var(--surface));
}
[data-line-annotation] { --diffs-annotation-bg: var(--surface); }
[data-gutter-buffer=annotation] { --diffs-annotation-bg: var(--surface); }

[data-column-number][data-rule] { color: var(--text); box-shadow: inset -3px 0 0 var(--rule); }
[data-rule=critical] { --rule: var(--critical); }
[data-rule=high] { --rule: var(--high); }
[data-rule=medium] { --rule: var(--medium); }
[data-rule=low] { --rule: var(--low); }
[data-rule=suggestion] { --rule: var(--suggestion); }

[data-line][data-cursor] { box-shadow: inset 0 1px 0 var(--focus), inset 0 -1px 0 var(--focus), inset -1px 0 0 var(--focus); }
[data-column-number][data-cursor] { box-shadow: inset 0 1px 0 var(--focus), inset 0 -1px 0 var(--focus), inset 1px 0 0 var(--focus); }
[data-column-number][data-cursor][data-rule] {
  box-shadow: inset -3px 0 0 var(--rule), inset 0 1px 0 var(--focus), inset 0 -1px 0 var(--focus), inset 1px 0 0 var(--focus);
}
[data-flash] { animation: flash 1.6s ease-out; }
@keyframes flash { 0%, 30% { background-color: var(--selected); } }
@media (prefers-reduced-motion: reduce) {
  [data-flash] { animation: none; background-color: var(--selected); }
}

:host([data-waiting]) [data-line-number-content] { visibility: hidden; }
:host([data-waiting]) [data-line]::after {
  content: ''; display: block; position: absolute; left: 10px; top: 6px; height: 8px; border-radius: 4px;
  width: 38ch; background: var(--hover);
}
:host([data-waiting]) [data-line]:nth-child(3n)::after { width: 54ch; }
:host([data-waiting]) [data-line]:nth-child(5n)::after { width: 22ch; }
:host([data-waiting]) [data-line]:nth-child(7n)::after { width: 0; }
:host([data-waiting]) [data-separator] > * { visibility: hidden; }

::highlight(volley-match) { background: var(--selected); text-decoration: underline 1px var(--text-3); }
::highlight(volley-current-match) { background: var(--ink); color: var(--on-ink); }
::highlight(volley-hidden) { background: var(--failed-tint); color: var(--failed); }
`;
