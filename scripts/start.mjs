import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWeb, node24, root, setUp } from './setup.mjs';

setUp();
// All but the pages of the server works without it, and the server says what is missing.
buildWeb();
const main = join(root, 'src', 'cli', 'main.ts');
const args = process.argv.length > 2 ? process.argv.slice(2) : ['demo'];
process.chdir(process.env.INIT_CWD ?? process.cwd());

if (Number.parseInt(process.versions.node, 10) >= 24) {
  process.argv = [process.execPath, main, ...args];
  await import(pathToFileURL(main).href);
} else {
  runOnNode24();
}

/** The very first start runs on the machine's own Node, so the CLI gets a process of its own. */
function runOnNode24() {
  const child = spawn(node24, [main, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}
