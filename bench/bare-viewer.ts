import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** A page that shows a patch with the diff library alone: no server that knows changes, no tree, no findings, no theme of ours. */
export type BareViewer = AsyncDisposable & {
  /** The address at which a patch is shown. */
  addressOf(name: string): string;
};

/** Builds the page in a temporary folder and serves it with some patches. */
export async function startBareViewer(patches: Readonly<Record<string, string>>): Promise<BareViewer> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-bare-viewer-'));
  await mkdir(join(folder, 'page'));
  await Promise.all([
    symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
    writeFile(join(folder, 'page', 'index.html'), PAGE),
    writeFile(join(folder, 'page', 'main.js'), PROGRAM),
    writeFile(join(folder, 'page', 'nothing.js'), 'export const bundledLanguages = {};\n'),
  ]);
  await build({
    root: join(folder, 'page'),
    configFile: false,
    logLevel: 'error',
    build: { outDir: join(folder, 'built'), emptyOutDir: true },
    worker: { format: 'es' },
    // Its languages and the engine that it does not use are left out, as we do.
    resolve: { alias: [{ find: /^shiki\/(?:langs|wasm|engine\/.*)$/, replacement: join(folder, 'page', 'nothing.js') }] },
  });
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').split('?')[0] ?? '/';
    const patch = patches[name.slice('/patch/'.length)];
    if (name.startsWith('/patch/') && patch !== undefined) {
      response.end(patch);
      return;
    }
    const file = join(folder, 'built', name === '/' ? 'index.html' : name.replaceAll('..', ''));
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    readFile(file).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  return {
    addressOf: (name) => `http://127.0.0.1:${port}/?${name}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

const PAGE = `<!doctype html><meta charset="utf-8"><style>html,body{height:100%;margin:0}#root{height:100%;overflow:auto}</style>
<div id="root"></div><script type="module" src="/main.js"></script>
`;

const PROGRAM = `
import { CodeView, parsePatchFiles } from '@pierre/diffs';
import { WorkerPoolManager } from '@pierre/diffs/worker';
import PoolWorker from '@pierre/diffs/worker/worker.js?worker';

const preferredHighlighter = 'highlights';
const pool = new WorkerPoolManager({ workerFactory: () => new PoolWorker(), poolSize: 2 }, { preferredHighlighter });
const patch = await (await fetch('/patch/' + location.search.slice(1))).text();
const files = parsePatchFiles(patch, { cacheKeyPrefix: 'bare' }).flatMap((one) => one.files);
const viewer = new CodeView({ preferredHighlighter, diffStyle: 'unified', stickyHeaders: true }, pool);
viewer.setup(document.getElementById('root'));
viewer.setItems(files.map((fileDiff) => ({ id: fileDiff.name, type: 'diff', fileDiff })));
`;
