import type { JSX } from 'react';
import { Plain } from '../ui/plain.tsx';
import type { Story } from './story.ts';
import { traceDrawing } from './trace-geometry.ts';
import type { TraceMark } from './trace-geometry.ts';

/** The life of a finding: a small line across the net, and the same in words. */
export function Trace({ story }: { readonly story: Story }): JSX.Element {
  return (
    <div className="mt-2 flex items-start gap-2.5 text-small text-fg-3">
      <TraceLine story={story} />
      <ol aria-label="History of this finding" className="flex min-w-0 flex-wrap gap-x-2">
        {foldSteps(story.steps).map(({ verb, rest }, index, all) => (
          <li key={index} className="min-w-0">
            {index === 0 ? null : (
              <span aria-hidden className="mr-2">
                →
              </span>
            )}
            <b className={index === all.length - 1 ? 'font-semibold text-fg' : 'font-medium text-fg-2'}>{verb}</b> <Plain text={rest} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const MOST_STEPS = 7;

/** Of a long story its beginning and its end. */
function foldSteps(steps: Story['steps']): Story['steps'] {
  if (steps.length <= MOST_STEPS) return steps;
  const folded = steps.length - MOST_STEPS + 1;
  return [...steps.slice(0, 2), { verb: '…', rest: `${folded} more` }, ...steps.slice(2 + folded)];
}

function TraceLine({ story }: { readonly story: Story }): JSX.Element {
  const { width, net, line, marks } = traceDrawing(story.beats);
  return (
    <svg width={width} height={16} viewBox={`0 0 ${width} 16`} className="shrink-0 overflow-visible fill-none" aria-hidden>
      <path d={net} className="stroke-line-strong" />
      <path d={line} className="stroke-fg-3 stroke-[1.2]" strokeLinejoin="round" strokeLinecap="round" />
      {marks.map((mark, index) => (
        <Mark key={index} mark={mark} />
      ))}
    </svg>
  );
}

function Mark({ mark: { beat, x, y } }: { readonly mark: TraceMark }): JSX.Element {
  switch (beat) {
    case 'asked':
      return <circle cx={x} cy={y} r={2.3} className="fill-fg-2 stroke-surface" />;
    case 'answered':
      return <rect x={x - 2} y={y - 2} width={4} height={4} rx={0.7} className="fill-fg-2 stroke-surface" />;
    case 'settled':
      return <circle cx={x} cy={y} r={3} className="fill-settled-solid" />;
    case 'you':
      return <circle cx={x} cy={y} r={4} className="fill-you stroke-on-you stroke-[1.2]" />;
  }
}
