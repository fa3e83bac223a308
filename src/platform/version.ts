import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this release, as its package says; `unknown` where the package is not there. */
export function releaseVersion(): string {
  // From the sources and from what is compiled of them.
  for (const folder of ['..', '../..']) {
    try {
      return String(JSON.parse(readFileSync(join(__dirname, folder, 'package.json'), 'utf8')).version);
    } catch {} // it is in the other folder
  }
  return 'unknown';
}
