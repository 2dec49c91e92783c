import { relative } from 'node:path';
import { inspect } from 'node:util';

/** A line for each file, the whole story of each failure, and the closing lines of Node's own runner. */
export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined) yield fileLine(data);
    else if (type === 'test:fail' && isCause(data)) yield failure(data);
    else if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    else if (type === 'test:diagnostic' && data.nesting === 0 && data.file === undefined) yield `# ${data.message}\n`;
  }
}

function fileLine({ file, success, counts, duration_ms: durationMs }) {
  return `${success ? '✔' : '✖'} ${relative('.', file)}: ${counts.tests} tests, ${(durationMs / 1000).toFixed(1)} s\n`;
}

/** A test that failed only because one inside of it failed has nothing to add. */
function isCause({ details }) {
  return details.error?.failureType !== 'subtestsFailed';
}

function failure({ name, file, line, details }) {
  const cause = details.error?.cause ?? details.error;
  return `\n✖ ${name}\n  ${relative('.', file ?? '')}:${line ?? 0}\n${inspect(cause).replaceAll(/^/gm, '  ')}\n\n`;
}
