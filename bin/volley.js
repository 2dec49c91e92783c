#!/usr/bin/env node
// Plain old syntax: a Node that is too old must get as far as the sentence that says so.
var wanted = 24;

if (parseInt(process.versions.node, 10) < wanted) {
  console.error('Volley needs Node ' + wanted + ' or newer, but this is Node ' + process.versions.node + '.');
  console.error('Install Node ' + wanted + ' from https://nodejs.org or with your version manager, then run volley again.');
  process.exitCode = 1;
} else {
  process.getBuiltinModule('node:module').enableCompileCache();
  import('../dist/cli/main.js').catch(runFromSource);
}

function runFromSource(error) {
  var isNotBuilt = error.code === 'ERR_MODULE_NOT_FOUND' && error.url.endsWith('/dist/cli/main.js');
  if (!isNotBuilt) throw error;
  return import('../src/cli/main.ts');
}
