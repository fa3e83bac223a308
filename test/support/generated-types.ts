import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The types that `openapi-typescript` makes of a document, as source text. */
export async function generateTypes(document: object): Promise<string> {
  const { astToString, default: openapiTS } = requireGenerator();
  return astToString(await openapiTS(JSON.stringify(document)));
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

/** What is used of `openapi-typescript`. */
interface Generator {
  default(document: string): Promise<object[]>;
  astToString(types: object[]): string;
}

/**
 * `openapi-typescript` writes types by the JavaScript API of the compiler, which TypeScript 7 does not have: it gets the
 * TypeScript 5 that tsoa brings along.
 */
function requireGenerator(): Generator {
  const requireHere = createRequire(__filename);
  const ours = requireHere.resolve('typescript');
  const olderPath = createRequire(requireHere.resolve('@tsoa/cli')).resolve('typescript');
  const before = requireHere.cache[ours];
  requireHere(olderPath);
  requireHere.cache[ours] = requireHere.cache[olderPath];
  try {
    return requireHere('openapi-typescript');
  } finally {
    if (before) requireHere.cache[ours] = before;
    else delete requireHere.cache[ours];
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
