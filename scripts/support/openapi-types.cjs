'use strict';
const { createRequire } = require('node:module');

/** The types that `openapi-typescript` generates from a document, as source text. */
async function typesOf(document) {
  const { astToString, default: openapiTS } = requireGenerator();
  return astToString(await openapiTS(JSON.stringify(document)));
}

/**
 * It generates types with the JavaScript API of the compiler, which TypeScript 7 does not have: it gets the TypeScript
 * 5 of tsoa. The other modules of this process keep theirs.
 */
function requireGenerator() {
  const ours = require.resolve('typescript');
  const older = createRequire(require.resolve('@tsoa/cli')).resolve('typescript');
  const before = require.cache[ours];
  require(older);
  require.cache[ours] = require.cache[older];
  try {
    return require('openapi-typescript');
  } finally {
    if (before) require.cache[ours] = before;
    else delete require.cache[ours];
  }
}

module.exports = { typesOf };
