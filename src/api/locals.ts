import type { MatchedOperation } from './operations';

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      matched?: MatchedOperation | undefined;
      /** The path ended in `.json`, as old clients write it. */
      jsonSuffix?: true;
      /** The ending of the path, if it asks for lines. */
      format?: 'csv' | 'ndjson';
      /** Duration of storing an upload. */
      storedMs?: number | undefined;
      failure?: { error: unknown };
      boardRole?: 'look' | 'act';
      boardUser?: string;
    }
  }
}
