import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From package.json; `unknown` if that is missing. */
export function releaseVersion(): string {
  // Works from the sources and from the compiled code.
  for (const folder of ['..', '../..']) {
    try {
      return String(JSON.parse(readFileSync(join(__dirname, folder, 'package.json'), 'utf8')).version);
    } catch {} // it is in the other folder
  }
  return 'unknown';
}
