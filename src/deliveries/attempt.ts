import type { RowDataPacket } from 'mysql2/promise';
import type { AttemptOutcome } from '../domain/delivery-schedule';

/** A delivery whose next attempt is ours alone. */
export interface Claim {
  /** The delivery joined with its notification. */
  row: RowDataPacket;
  /** Names the claim in the row: nobody else's has the same. */
  token: number;
  /** Why it must not go out at all; then it needs no slot of its receiver. */
  whyNotSent: string | null;
  /** The slot of the receiver that it holds, if it needs one. */
  slot: number | null;
  /** Whether the receiver has been slow or failing. */
  isAiling: boolean;
}

/** What became of a delivery. */
export type AttemptResult = 'delivered' | 'failed' | 'will retry';

/** One attempt, as its sender saw it. */
export interface Attempt {
  outcome: AttemptOutcome;
  startedMs: number;
  durationMs: number;
}
