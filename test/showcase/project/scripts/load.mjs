import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

// Every module is loaded once, so that a name that nobody exports is found before a request finds it.
const paths = readdirSync('src', { recursive: true }).map(String).filter((path) => path.endsWith('.ts'));
for (const path of paths) await import(resolve('src', path));
process.stdout.write(`${paths.length} modules load\n`);
