import type { Io } from '../command.ts';
import { paint, type Style } from '../print.ts';
import { wrap } from './wrap.ts';

/** Where text stands: a column of labels on the left and the text beside it, or, on a narrow terminal, one below the other. */
export type Layout = Pick<Io, 'color' | 'width'> & {
  /** The columns left of the text; 0 where labels stand in the text. */
  readonly margin: number;
  /** The width of lines that are read as sentences, the margin included. */
  readonly prose: number;
};

/** A text and what stands to the left of it; both may have styles. */
export type Labelled = {
  readonly text: string;
  readonly style?: Style;
  readonly label?: string;
  readonly labelStyles?: readonly Style[];
};

const NARROW = 72;
const MARGIN = 12;
/** Longer lines are hard to read, however wide the terminal is. */
const LONGEST_PROSE = 100;

/** The layout for an output of this width. */
export function layoutOf(io: Pick<Io, 'color' | 'width'>): Layout {
  const width = Math.max(20, io.width);
  return { color: io.color, width, margin: width < NARROW ? 0 : MARGIN, prose: Math.min(width, LONGEST_PROSE) };
}

/** Paints a text in several styles at once. */
export function paintAll(layout: Pick<Io, 'color'>, styles: readonly Style[], text: string): string {
  return text === '' ? '' : styles.reduce((inner, style) => paint(layout, style, inner), text);
}

/** A text with its label, as lines. */
export function labelled(layout: Layout, { text, style, label = '', labelStyles = [] }: Labelled): string[] {
  const dress = (line: string): string => paintAll(layout, style === undefined ? [] : [style], line);
  if (layout.margin > 0) {
    // A label in a box takes a column of the gap on each side for its rim.
    const rim = layout.color && labelStyles.includes('inverse') ? ' ' : '';
    const free = ' '.repeat(layout.margin - GAP.length - label.length - rim.length);
    const left = free + paintAll(layout, labelStyles, rim + label + rim) + GAP.slice(rim.length);
    const lines = wrap(text, layout.prose - layout.margin);
    return lines.map((line, index) => (index === 0 ? left : ' '.repeat(layout.margin)) + dress(line));
  }
  const [first = '', ...rest] = wrap(label === '' ? text : `${label} ${text}`, layout.prose - GAP.length);
  const start = label === '' ? GAP + dress(first) : paintAll(layout, labelStyles, label) + dress(first.slice(label.length));
  return [start, ...rest.map((line) => GAP + dress(line))];
}

const GAP = '  ';
