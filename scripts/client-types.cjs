'use strict';
// Part of `npm run generate`: writes client/src/generated/api.ts, the types of the API from its document.
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { typesOf } = require('./support/openapi-types.cjs');
require('./swc-hook.cjs');

const root = join(__dirname, '..');
const folder = join(root, 'client/src/generated');

writeTypes().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

async function writeTypes() {
  const { completeDocument } = require('../src/api/openapi.ts');
  const document = completeDocument(require('../src/generated/openapi.json'));
  const text = await typesOf(document);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'api.ts'), text);
}
