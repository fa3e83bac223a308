import type { MatchedOperation } from './operations';
import type { Road } from './roads';

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      matched?: MatchedOperation | undefined;
      road: Road;
      /** Duration of storing an upload. */
      storedMs?: number | undefined;
      failure?: { error: unknown };
      boardRole?: 'look' | 'act';
      boardUser?: string;
    }
  }
}
