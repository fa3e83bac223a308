// npm run build: generates the routes and the API document from the controllers, then compiles to dist/. Does nothing if
// nothing has changed since the last build. With `--console` only the console, which the tests in a browser need.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { isRunning, startOf } from './support/processes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['src', 'jobs', 'workers'];
const consoleSources = ['console', 'client/src', 'package-lock.json'];
/** What the pages under /docs are rendered from. */
const guides = ['README.md', 'CHANGELOG.md', 'client/README.md', 'docs'];
const settings = ['tsoa.json', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const dist = join(root, 'dist');
const stamp = join(dist, '.built-from');
const consoleStamp = join(dist, '.console-built-from');
const lock = join(dist, '.building');

/** Brings dist/ up to date; returns whether there was anything to do. Throws if the code does not compile. */
export function build({ log }) {
  return withBuildLock(async () => {
    const isNew = await bringConsoleUpToDate();
    const fingerprint = fingerprintOf([...sources, ...guides, ...settings]);
    if (isBuiltFrom(fingerprint)) return isNew;
    log('building …');
    rmSync(stamp, { force: true });
    await generate();
    await run('tsc', ['--project', 'tsconfig.build.json']);
    removeFormer();
    const apiDocument = 'src/generated/openapi.json';
    if (existsSync(join(root, apiDocument))) copyFileSync(join(root, apiDocument), join(dist, apiDocument));
    copyGuides();
    writeFileSync(stamp, fingerprint);
    return true;
  });
}

/** Generates the files that tests need: src/generated, and the types of the client. */
export function generateRoutes() {
  return withBuildLock(async () => {
    await generate();
    await runNode('scripts/client-types.cjs');
  });
}

/** Brings only the console up to date, which the tests in a browser need. */
export function buildConsole() {
  return withBuildLock(bringConsoleUpToDate);
}

async function bringConsoleUpToDate() {
  const fingerprint = fingerprintOf(consoleSources);
  const isCurrent =
    ['web/index.html', 'web-br'].every((name) => existsSync(join(dist, name))) && existsSync(consoleStamp);
  if (isCurrent && readFileSync(consoleStamp, 'utf8') === fingerprint) return false;
  rmSync(consoleStamp, { force: true });
  await run('vite', ['build', '--config', 'console/vite.config.mjs', 'console']);
  packAssets();
  writeFileSync(consoleStamp, fingerprint);
  return true;
}

/** Compresses what browsers load, at the best quality: it takes seconds, for which the first user would wait. */
function packAssets() {
  const [assets, packed] = [join(dist, 'web/assets'), join(dist, 'web-br')];
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed);
  for (const name of readdirSync(assets)) {
    writeFileSync(join(packed, name), brotliCompressSync(readFileSync(join(assets, name))));
  }
}

/** Removes what the files of an earlier version were compiled to: `docs.js` would be found before `docs/index.js`. */
function removeFormer() {
  for (const file of sources.flatMap((name) => filesIn(`dist/${name}`))) {
    const source = file.slice('dist/'.length).replace(/\.js(\.map)?$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join(root, source))) rmSync(join(root, file));
  }
}

function copyGuides() {
  rmSync(join(dist, 'guides'), { recursive: true, force: true });
  for (const name of guides) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(dist, 'guides', name), { recursive: true });
  }
}

function generate() {
  return run('tsoa', ['spec-and-routes']);
}

function isBuiltFrom(fingerprint) {
  return (
    existsSync(stamp) && existsSync(join(dist, 'src/api/server.js')) && readFileSync(stamp, 'utf8') === fingerprint
  );
}

/** A hash of names and contents: after a checkout modification times mean nothing, and a deleted file has none. */
function fingerprintOf(names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap(filesIn)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesIn(name) {
  const path = join(root, name);
  if (!existsSync(path) || name.endsWith('src/generated')) return [];
  if (statSync(path).isFile()) return [name];
  return readdirSync(path)
    .sort()
    .flatMap((entry) => filesIn(`${name}/${entry}`));
}

function run(name, args) {
  return spawnToEnd(join(root, 'node_modules/.bin', name), args);
}

function runNode(script) {
  return spawnToEnd(process.execPath, [script]);
}

function spawnToEnd(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${output.trim()}`));
    });
  });
}

/** Allows one build at a time in this folder; the lock of a process that was killed is ignored. */
async function withBuildLock(work) {
  mkdirSync(dist, { recursive: true });
  while (!takeLock()) await sleep(100);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock() {
  const self = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  try {
    writeFileSync(lock, self, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld()) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld() {
  try {
    return isRunning(JSON.parse(readFileSync(lock, 'utf8')));
  } catch {
    // It is being written or was just released. If it stays unreadable, a crash interrupted the writing.
    return existsSync(lock) && Date.now() - statSync(lock, { throwIfNoEntry: false })?.mtimeMs < 5_000;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const work = process.argv.includes('--console') ? buildConsole() : build({ log: (text) => console.log(text) });
  await work.catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
