/** The source of "now". Live code takes the server's clock; tests and simulations pass their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Sets the clock by the time of MySQL; returns how many ms the machine's clock is ahead. Only a live clock has it. */
  synchronize?(serverMs: number): number;
}

/** Differences up to this are left alone: asking takes some time, too. */
const TOLERATED_MS = 500;

/** The clock of the machine, corrected by that of MySQL: so all processes agree, even where a machine's clock is wrong. */
export class ServerClock implements Clock {
  private correctionMs = 0;

  constructor(private readonly machine: () => number = Date.now) {}

  now(): number {
    return this.machine() + this.correctionMs;
  }

  synchronize(serverMs: number): number {
    const aheadMs = this.machine() - serverMs;
    this.correctionMs = Math.abs(aheadMs) > TOLERATED_MS ? -aheadMs : 0;
    return aheadMs;
  }
}

export const systemClock: Clock = { now: () => Date.now() };
