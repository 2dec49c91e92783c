import { VolleyError } from '../../core/errors.ts';
import { Severity } from '../../core/finding.ts';
import { textOption } from '../command.ts';
import type { Typed } from '../command.ts';

/** The severity that `--fail-on` names; undefined where it was not given. */
export function failOnOf(typed: Typed): Severity | undefined {
  const written = textOption(typed, 'fail-on');
  if (written === undefined) return undefined;
  const parsed = Severity.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new VolleyError('bad-usage', `'${written}' is no severity.`, `Choose one of ${Severity.options.join(', ')}.`);
}
