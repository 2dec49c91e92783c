import { resolve } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { ROUTES } from '../src/api/contract.ts';
import { bundledLicences } from './bundled-licences.ts';

const licences = bundledLicences(resolve(import.meta.dirname, '..'));

/** The web app, built into the folder from which `volley serve` serves it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), routeTable(), styleNonce(), coloursInWorkers(), licences.forApp],
  build: { outDir: '../dist/web', emptyOutDir: true, target: 'baseline-widely-available', modulePreload: { polyfill: false } },
  resolve: {
    alias: [
      {
        find: /^(?:shiki\/(?:core|textmate|langs|wasm|engine\/.*)|@pierre\/highlights\/themes\/loader|@pierre\/theming\/themes)$/,
        replacement: `${import.meta.dirname}/src/diff/no-shiki.ts`,
      },
    ],
  },
  worker: { format: 'es', plugins: () => [licences.forWorkers()] },
});

/**
 * The diff viewer makes style elements without a nonce, which our pages do not allow. They get the one of the page; a version that
 * makes them otherwise fails the build.
 */
function styleNonce(): Plugin {
  const made = 'document.createElement("style")';
  return {
    name: 'style-nonce',
    transform: {
      filter: { id: /@pierre\/diffs\/dist\/utils\/(?:hostTheme|createUnsafeCSSStyleNode)\.js$/ },
      handler(code, id) {
        if (!code.includes(made)) throw new Error(`${id} makes its style elements in a way that gets no nonce`);
        return code.replaceAll(made, `Object.assign(${made}, { nonce: globalThis.__webpack_nonce__ })`);
      },
    },
  };
}

/** Keeps the engine that colours out of the page: the workers have it. */
function coloursInWorkers(): Plugin {
  return {
    name: 'colours-in-workers',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^@pierre\/highlights$/ },
      handler: (_, importer) =>
        importer?.includes('/@pierre/diffs/dist/highlighter/') === true ? `${import.meta.dirname}/src/diff/no-highlights.ts` : null,
    },
  };
}

/** A page asks by method and path; the schemas of all routes, which the server checks, would be a third of what it loads. */
function routeTable(): Plugin {
  const table = Object.fromEntries(Object.entries(ROUTES).map(([name, { method, path }]) => [name, { method, path }]));
  return {
    name: 'route-table',
    load: {
      filter: { id: /\/src\/api\/contract\.ts$/ },
      handler: () => `export const ROUTES = ${JSON.stringify(table)};`,
    },
  };
}
