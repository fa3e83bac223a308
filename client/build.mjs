// npm run build: makes dist/ with the module, minified, and its types; with --size it only says how many bytes the module has.
// The types of the API have to be there: `npm run generate` at the root.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The module with everything that it needs, minified. */
async function bundle({ write }) {
  const { output } = await build({
    root: here,
    configFile: false,
    logLevel: 'error',
    build: {
      write,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      // Not as a library: those keep their white space.
      rollupOptions: {
        input: 'src/index.ts',
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'index.mjs' },
      },
    },
  });
  return output[0].code;
}

const isOnlySize = process.argv.includes('--size');
const code = await bundle({ write: !isOnlySize });
if (!isOnlySize) {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', here], { stdio: 'inherit' });
}
console.log(`${Buffer.byteLength(code)} bytes`);
