'use strict';
// Lets mocha run the TypeScript sources directly, decorator metadata included; types are checked by `npm run typecheck`.
// What was compiled is kept, one file for each source: the tests start hundreds of processes from a thousand sources.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { version } = require('@swc/core/package.json');

const folder = join(__dirname, '../node_modules/.cache/swc');
const options = {
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};
const compiler = version + JSON.stringify(options);

require.extensions['.ts'] = (module, filename) => {
  const source = fs.readFileSync(filename, 'utf8');
  const head = `//${hashOf(compiler + source)}\n`;
  const path = join(folder, hashOf(filename));
  module._compile(kept(path, head) ?? compile(filename, source, path, head), filename);
};
process.setSourceMapsEnabled(true);

function kept(path, head) {
  try {
    const code = fs.readFileSync(path, 'utf8');
    return code.startsWith(head) ? code.slice(head.length) : undefined;
  } catch {
    return undefined;
  }
}

function compile(filename, source, path, head) {
  const { code } = require('@swc/core').transformSync(source, { filename, ...options });
  try {
    fs.mkdirSync(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`; // other processes may write the same
    fs.writeFileSync(unfinished, head + code);
    fs.renameSync(unfinished, path);
  } catch {
    // Without a folder to write to, each process compiles for itself.
  }
  return code;
}

function hashOf(text) {
  return createHash('sha1').update(text).digest('hex');
}
