import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The types that `openapi-typescript` makes of a document, as source text. */
export function generateTypes(document: object): Promise<string> {
  // Plain JavaScript, which has no types of its own.
  const { typesOf } = require('../../scripts/support/openapi-types.cjs') as {
    typesOf(document: object): Promise<string>;
  };
  return typesOf(document);
}

/** Where the TypeScript compiler of this project finds errors in these files: `program.ts:12`, each once. */
export async function compile(
  files: Record<string, string>,
  more: object = {},
): Promise<{ places: string[]; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-types-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration(Object.keys(files), more)));
    const output = await runCompiler(folder);
    const places = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file}:${line}`);
    return { places: [...new Set(places)], output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function configuration(files: string[], more: object): object {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] };
  return {
    compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true, ...more },
    files,
  };
}

function runCompiler(folder: string): Promise<string> {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', '.', '--pretty', 'false'],
      { cwd: folder, timeout: 60_000 },
      (_, stdout) => resolve(stdout),
    );
  });
}
