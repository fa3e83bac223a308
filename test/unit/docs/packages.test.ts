import assert from 'node:assert/strict';
import { readPage } from '../../support/markdown';

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const packages: Record<string, LockedPackage> = JSON.parse(readPage('package-lock.json')).packages;

/** Whether node would find the package from there: in the folder itself, or in one above it. */
function isFound(name: string, from: string): boolean {
  const inside = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[inside]) return true;
  return from !== '' && isFound(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

describe('the lock file of the packages', () => {
  it('has those of every system, so that `npm ci` works everywhere', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isFound(name, path))
        .map((name) => `${name} of ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it('is that of package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(readPage('package.json'));
    assert.deepEqual([packages['']?.dependencies, packages['']?.devDependencies], [dependencies, devDependencies]);
  });

  it('names the contents of each package, and no registry', () => {
    for (const [path, { version, integrity, resolved }] of Object.entries(packages)) {
      if (path === '') continue;
      assert.match(integrity ?? '', /^sha512-/, path);
      assert.match(version ?? '', /^\d+\.\d+\.\d+/, path);
      assert.equal(resolved, undefined, path);
    }
  });
});
