'use strict';
// Part of `npm run generate`: writes client/src/generated/api.ts, the types of the API as its document describes it.
const { mkdirSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
require('./swc-hook.cjs');

const root = join(__dirname, '..');
const folder = join(root, 'client/src/generated');

writeTypes().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

async function writeTypes() {
  const { completeDocument } = require('../src/http/openapi.ts');
  const document = completeDocument(require('../src/generated/openapi.json'));
  const { astToString, default: openapiTS } = requireGenerator();
  const text = astToString(await openapiTS(JSON.stringify(document)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'api.ts'), text);
}

/** `openapi-typescript` needs the JavaScript API of the compiler, which TypeScript 7 does not have; tsoa brings TypeScript 5 along. */
function requireGenerator() {
  const ours = require.resolve('typescript');
  const older = createRequire(require.resolve('@tsoa/cli')).resolve('typescript');
  require(older);
  require.cache[ours] = require.cache[older];
  return require('openapi-typescript');
}
