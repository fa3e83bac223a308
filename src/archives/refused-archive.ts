import { PlatformError } from '../platform/errors';

/** What is wrong with a file, and in which entry. */
export class RefusedArchive extends Error {
  constructor(
    readonly entry: string | undefined,
    readonly why: string,
  ) {
    super(why);
  }
}

/** An error of the platform as a refusal of the entry. A failure of its own, or a limit that passes, is none. */
export function refusedIn(entry: string, error: unknown, line?: number): unknown {
  if (!(error instanceof PlatformError) || error.status >= 500 || error.status === 429) return error;
  return new RefusedArchive(entry, line === undefined ? error.message : `line ${line}: ${error.message}`);
}
