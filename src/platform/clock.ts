/** The source of "now", a whole number. Live code takes the server's clock; tests and simulations pass their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Sets the clock by the time of MySQL, which was measured to so many ms; returns how many ms the machine's clock is ahead. Only a
   * live clock has it.
   */
  synchronize?(serverMs: number, toMs?: number): number;
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

  /** A measurement that took long says little: the clock is left alone where it may be right. */
  synchronize(serverMs: number, toMs = 0): number {
    const aheadMs = Math.round(this.machine() - serverMs);
    if (toMs <= TOLERATED_MS || Math.abs(aheadMs + this.correctionMs) > TOLERATED_MS + toMs) {
      this.correctionMs = Math.abs(aheadMs) > TOLERATED_MS ? -aheadMs : 0;
    }
    return aheadMs;
  }
}

export const systemClock: Clock = { now: () => Date.now() };
