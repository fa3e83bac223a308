import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is installed. */
export function findBinary(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'].filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** True on Debian or Ubuntu if we may install packages. */
export function mayInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0 && findBinary('apt-get') !== undefined;
}

/** Installs Debian packages without asking and, if possible, without starting their services. */
export function aptInstall(packages, log) {
  log(`installing ${packages.join(' and ')} …`);
  // apt continues as another user, who must be able to write here; not everyone may write to every /tmp.
  const temporary = mkdtempSync(join(tmpdir(), 'sensors-apt-'));
  chmodSync(temporary, 0o1777);
  const env = { ...process.env, TMPDIR: temporary, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const run = (...args) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: 600_000 });
  run('update'); // not fatal: the existing package lists may suffice
  const result = run('install', '-y', '--no-install-recommends', ...packages);
  rmSync(temporary, { recursive: true, force: true });
  if (result.status !== 0) log(`apt-get failed: ${(result.stderr ?? '').trim().split('\n').at(-1)}`);
}

/** True if a Docker engine is running. */
export function isDockerReady() {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
}
