// Plays the author and the fixer. A real agent would think; this one has three drafts and hands in the next one.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'src/price.js';
const DRAFTS = [
  `
/** The price after a discount in percent, in euros. */
export function discounted(price, percent) {
  return price - (price * percent) / 100;
}
`,
  `
/** The price after a discount in percent, in euros. */
export function discounted(price, percent) {
  if (!(percent >= 0 && percent <= 100)) throw new RangeError(\`\${percent} is not a percentage\`);
  return price - (price * percent) / 100;
}
`,
  `
/** The price after a discount in percent, in euros and whole cents. */
export function discounted(price, percent) {
  if (!(percent >= 0 && percent <= 100)) throw new RangeError(\`\${percent} is not a percentage\`);
  return Math.round(price * (100 - percent)) / 100;
}
`,
];

const before = readFileSync(FILE, 'utf8');
const [kept] = before.split('\n/** The price after a discount');
const written = DRAFTS.findIndex((draft) => before.endsWith(draft));
const next = Math.min(written + 1, DRAFTS.length - 1);
writeFileSync(FILE, kept.trimEnd() + '\n' + DRAFTS[next]);

const summaries = ['a discount in percent', 'refuse percentages that are none', 'round to whole cents'];
writeFileSync(process.env.VOLLEY_RESULT, JSON.stringify({ summary: summaries[next], taskComplete: true }));
console.log(`${process.env.VOLLEY_ROLE}: ${summaries[next]}`);
