// Plays the reviewer: it really runs the code under review, in the throw-away copy that it is given for that.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const file = 'src/price.js';
const { discounted } = await import(pathToFileURL(`${process.env.VOLLEY_SCRATCH}/${file}`).href);
const line =
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('function discounted')) + 1;
const issues = [];
const evidence = [];

try {
  const price = discounted(10, 150);
  evidence.push({ claim: 'A discount above 100 % is accepted', command: 'discounted(10, 150)', output: String(price) });
  issues.push({
    file,
    line,
    severity: 'high',
    category: 'logic',
    description: 'A discount above 100 % gives a negative price.',
    impact: 'The shop would pay its customers.',
    suggestion: 'Refuse percentages below 0 and above 100.',
  });
} catch (error) {
  evidence.push({ claim: 'A discount above 100 % is refused', command: 'discounted(10, 150)', output: String(error) });
}

const price = discounted(9.99, 15);
evidence.push({ claim: 'Prices are whole cents', command: 'discounted(9.99, 15)', output: String(price) });
if (price !== 8.49) {
  issues.push({
    file,
    line,
    severity: 'medium',
    category: 'logic',
    description: 'The price has fractions of a cent.',
    impact: 'Sums on an invoice do not add up.',
    suggestion: 'Round to whole cents.',
  });
}

writeFileSync(
  process.env.VOLLEY_RESULT,
  JSON.stringify({
    passed: issues.length === 0,
    summary:
      issues.length === 0 ? 'The discount works, wrong percentages are refused, cents are whole.' : `${issues.length} thing(s) to mend.`,
    interpretedIntent: 'Customers get a percentage off, and the books still add up.',
    intentSatisfied: true,
    issues,
    evidence,
  }),
);
console.log(`looked at ${file}: ${issues.length} issue(s)`);
