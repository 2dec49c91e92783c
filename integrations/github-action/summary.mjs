import { readFileSync } from 'node:fs';

/** Prints the findings of a SARIF file as Markdown, for the log and the page of a job: `summary.mjs FILE VERDICT`; exits with 1 if it is none. */
const [file = '', verdict = ''] = process.argv.slice(2);
const results = resultsIn(readFileSync(file, 'utf8'));

console.log(`### Volley: ${results === null ? 'error' : verdict.replaceAll('_', ' ')}`);
console.log();
if (results === null) {
  console.log('Nothing was reviewed: volley review printed no SARIF. Take options such as --dry-run and --help out of args.');
  process.exitCode = 1;
} else {
  for (const result of results.filter(({ suppressions = [] }) => suppressions.length === 0)) console.log(lineOf(result));
  if (results.length === 0) console.log('Nothing was found.');
}

/** The results of a SARIF text; null if it is none. */
function resultsIn(text) {
  try {
    const { runs } = JSON.parse(text);
    return Array.isArray(runs) ? (runs[0]?.results ?? []) : null;
  } catch {
    // Options can make the command print something else.
    return null;
  }
}

/** One line, which begins with a dash: a line of the log that begins with colons would be an order to the runner. */
function lineOf({ level, message, locations: [place] = [] }) {
  const { artifactLocation, region } = place?.physicalLocation ?? {};
  const where =
    artifactLocation === undefined
      ? ''
      : ` ${decodeURIComponent(artifactLocation.uri)}${region === undefined ? '' : `:${region.startLine}`}`;
  // Words of agents and names of files are nobody's Markdown or HTML.
  const text = `${where} ${message.text}`.replace(/\s+/g, ' ').replace(/[<>&`\\[\]!|]/g, (char) => `&#${char.charCodeAt(0)};`);
  return `- **${level}**${text}`;
}
