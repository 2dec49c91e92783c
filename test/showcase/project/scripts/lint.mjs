import { readdirSync, readFileSync } from 'node:fs';

const paths = readdirSync('src', { recursive: true }).map(String).filter((path) => path.endsWith('.ts'));
const complaints = paths.flatMap((path) =>
  readFileSync(`src/${path}`, 'utf8')
    .split('\n')
    .flatMap((line, index) => (/\bconsole\.log\(|\bdebugger\b|[ \t]$/.test(line) ? [`src/${path}:${index + 1}: ${line.trim()}`] : [])),
);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`${paths.length} files, ${complaints.length} complaints\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
