'use strict';
// Loads a TypeScript source of the repository, for scripts that use the typed client. Types are checked by `npm run typecheck`.
require('../swc-hook.cjs');

exports.load = (file) => require(file);
