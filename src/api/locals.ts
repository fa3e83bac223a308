import type { MatchedOperation } from './operations';

declare global {
  namespace Express {
    /** What the stages of the pipeline and the pages add to `response.locals` for those that come after them. */
    interface Locals {
      requestId: string;
      matched?: MatchedOperation | undefined;
      /** True if the path ended in `.json`, as old clients write it. */
      jsonSuffix?: true;
      /** The ending of the path, if it asks for lines. */
      format?: 'csv' | 'ndjson';
      /** How long an upload took to be stored. */
      storedMs?: number | undefined;
      /** The error of a request that a page answers. */
      failure?: { error: unknown };
      /** What the operator at the board may do. */
      boardRole?: 'look' | 'act';
      /** The username of that operator. */
      boardUser?: string;
    }
  }
}
