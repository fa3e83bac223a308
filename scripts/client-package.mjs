// npm run build in client/: makes dist/ there, with the minified module for `import` and `require`, its types, and the command `sensors`. With --size
// it only prints how many bytes the module has.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateRoutes } from './build.mjs';
import { ensurePackages } from './support/packages.mjs';

const folder = fileURLToPath(new URL('../client', import.meta.url));

/** The module with everything that it needs, minified. */
async function bundle({ write }) {
  const { build } = await import('vite'); // only now: it may have been installed just before
  const [asModule] = await build({
    root: folder,
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
        output: [
          { format: 'es', entryFileNames: 'index.mjs' },
          { format: 'cjs', entryFileNames: 'index.cjs' },
        ],
      },
    },
  });
  return asModule.output[0].code;
}

/** The command `sensors`, with everything that it needs. */
async function bundleCommand() {
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/cli/index.ts',
      target: 'node20',
      minify: true,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'cli.mjs', banner: '#!/usr/bin/env node' } },
    },
  });
}

/** The types of the API as its document is now, whatever was generated before, and those of the client. */
async function writeTypes() {
  await generateRoutes();
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
}

const isOnlySize = process.argv.includes('--size');
// To stderr: `npm pack --json` writes to stdout.
ensurePackages(fileURLToPath(new URL('..', import.meta.url)), console.error);
if (!isOnlySize) rmSync(join(folder, 'dist'), { recursive: true, force: true });
const code = await bundle({ write: !isOnlySize });
if (!isOnlySize) {
  await bundleCommand();
  await writeTypes();
}
console.log(`${Buffer.byteLength(code)} bytes`);
