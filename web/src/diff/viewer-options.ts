import type { FileDiffLoadedFiles, FileDiffMetadata } from '@pierre/diffs';
import type { CodeViewReactOptions } from '@pierre/diffs/react';
import { refused } from '../ui/toast.tsx';
import type { DiffModel } from './diff-model.ts';
import type { Hung } from './entry.ts';
import { oldSide } from './old-side.ts';
import { wholeFile } from './patches.ts';
import type { Pointer } from './pointer.ts';
import type { Place } from './rows.ts';
import { THEME } from './theme.ts';
import { METRICS, VIEWER_CSS } from './viewer-css.ts';

/** How the viewer is told to show things. */
export type Wanted = {
  readonly model: DiffModel;
  readonly pointer: Pointer;
  readonly change: string;
  readonly style: 'unified' | 'split';
  readonly wrap: boolean;
  /** Hears on which line number somebody clicked. */
  readonly onPlace: (place: Place) => void;
  /** Hears that other lines are drawn. */
  readonly onDrawn: () => void;
};

type Drawing = [element: HTMLElement, instance: unknown, phase: unknown, context: { readonly item: { readonly id: string } }];

/** Lines that are longer are shown without colours and without a diff of words: they are data, not code. */
const LONG_LINE = 2000;

/** The options of the viewer. */
export function viewerOptions({ model, pointer, change, style, wrap, onPlace, onDrawn }: Wanted): CodeViewReactOptions<Hung, undefined> {
  return {
    theme: THEME,
    preferredHighlighter: 'highlights',
    diffStyle: style,
    overflow: wrap ? 'wrap' : 'scroll',
    diffIndicators: 'bars',
    lineDiffType: 'word-alt',
    maxLineDiffLength: LONG_LINE / 2,
    tokenizeMaxLineLength: LONG_LINE,
    hunkSeparators: 'line-info-basic',
    expansionLineCount: 20,
    stickyHeaders: true,
    lineHoverHighlight: 'disabled',
    unsafeCSS: VIEWER_CSS,
    itemMetrics: METRICS,
    layout: { paddingTop: 0, paddingBottom: 0, gap: 0 },
    loadDiffFiles: async (diff) => await bothSides(model, change, diff),
    onPostRender(...[element, , phase, context]: Drawing) {
      if (phase === 'unmount') return;
      pointer.draw(context.item.id, element);
      onDrawn();
    },
    onLineNumberClick({ lineNumber, ...clicked }, { item: { id } }) {
      onPlace({ id, line: lineNumber, side: 'annotationSide' in clicked ? clicked.annotationSide : 'additions' });
    },
  };
}

async function bothSides(model: DiffModel, change: string, diff: FileDiffMetadata): Promise<FileDiffLoadedFiles> {
  try {
    const entry = model.entryOf(diff);
    if (entry === undefined || entry.missing > 0) throw new Error('More of this file cannot be shown here.');
    const { file } = entry;
    const text = await wholeFile(change, file);
    return { oldFile: { name: file.oldPath ?? file.path, contents: oldSide(text, diff) }, newFile: { name: file.path, contents: text } };
  } catch (error) {
    refused(error);
    throw error;
  }
}
