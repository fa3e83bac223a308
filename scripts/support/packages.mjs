import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages that package-lock.json lists, unless exactly these are installed. */
export function ensurePackages(root, log) {
  if (isLink(join(root, 'node_modules')) || areInstalled(root)) return;
  log('installing packages …');
  // No package needs its install script: compiled code is in separate packages, one for each system.
  const result = spawnSync(
    'npm',
    ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, DO_NOT_TRACK: '1' },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (result.status !== 0) throw new Error('npm ci failed: see above');
}

/** The target of a link is not ours to change. */
function isLink(folder) {
  return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Compares versions, not times: after a checkout every file looks new. */
function areInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional, peer }]) =>
        path === '' || (present[path] ? present[path].version === version : optional || peer),
    );
  } catch {
    return false;
  }
}
