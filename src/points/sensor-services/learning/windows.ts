export type Reading = {
  readonly input: string;
  readonly atMs: number;
  readonly values: Readonly<Record<string, number>>;
};

export interface WindowPlan {
  readonly lengthMs: number;
  readonly anchorMs: number;
  readonly inputs: readonly string[];
}

/** An input without data in the window counts with its latest earlier reading. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
  readonly readings: readonly Reading[];
}

/** Bounded plain data. */
export type WindowBuffer = {
  readonly waiting: readonly Reading[];
  readonly held: Readonly<Record<string, Reading>>;
  readonly latestMs: Readonly<Record<string, number>>;
  readonly finishedMs: number | null;
};

export const EMPTY_BUFFER: WindowBuffer = { waiting: [], held: {}, latestMs: {}, finishedMs: null };

// Phones upload sensors of the same minutes one after another: a window waits this long for other inputs. Then an input
// is inactive; its latest reading stays valid for as long.
const PATIENCE_WINDOWS = 10;
// A full buffer finishes its oldest window early, so that memory is bounded at any rate.
const MAX_WAITING = 4_000;

/**
 * A window is complete when every input has passed its end, or one by far. A reading of a finished window is too late;
 * one from long before starts a new buffer.
 */
export function collect(
  buffer: WindowBuffer,
  readings: readonly Reading[],
  plan: WindowPlan,
): { buffer: WindowBuffer; windows: Window[] } {
  const cutter = new WindowCutter(buffer, plan);
  for (const reading of [...readings].sort((one, other) => one.atMs - other.atMs)) cutter.take(reading);
  return { buffer: cutter.buffer(), windows: cutter.windows };
}

export function finish(buffer: WindowBuffer, plan: WindowPlan): Window[] {
  const cutter = new WindowCutter(buffer, plan);
  cutter.finishAll();
  return cutter.windows;
}

class WindowCutter {
  readonly windows: Window[] = [];
  private waiting: Reading[];
  private held: Record<string, Reading>;
  private latestMs: Record<string, number>;
  private finishedMs: number | null;
  private readonly patienceMs: number;

  constructor(
    buffer: WindowBuffer,
    private readonly plan: WindowPlan,
  ) {
    this.waiting = [...buffer.waiting];
    this.held = { ...buffer.held };
    this.latestMs = { ...buffer.latestMs };
    this.finishedMs = buffer.finishedMs;
    this.patienceMs = plan.lengthMs * PATIENCE_WINDOWS;
  }

  buffer(): WindowBuffer {
    return { waiting: this.waiting, held: this.held, latestMs: this.latestMs, finishedMs: this.finishedMs };
  }

  take(reading: Reading): void {
    if (this.finishedMs !== null && reading.atMs < this.finishedMs) {
      if (reading.atMs >= this.finishedMs - this.patienceMs) return;
      this.restart();
    }
    this.latestMs[reading.input] = Math.max(this.latestMs[reading.input] ?? reading.atMs, reading.atMs);
    this.completeBefore(reading);
    this.insert(reading);
    if (this.waiting.length > MAX_WAITING) this.finishOldest();
  }

  finishAll(): void {
    while (this.waiting.length > 0) this.finishOldest();
  }

  private restart(): void {
    this.finishAll();
    this.held = {};
    this.latestMs = {};
    this.finishedMs = null;
  }

  /** The reading is never part of these windows. */
  private completeBefore(reading: Reading): void {
    for (let oldest = this.waiting[0]; oldest !== undefined; oldest = this.waiting[0]) {
      const endMs = this.startOf(oldest) + this.plan.lengthMs;
      if (reading.atMs < endMs || !this.isComplete(endMs)) return;
      this.finishOldest();
    }
  }

  private isComplete(endMs: number): boolean {
    if (Object.values(this.latestMs).some((latest) => latest >= endMs + this.patienceMs)) return true;
    return this.plan.inputs.every((input) => (this.latestMs[input] ?? Number.NEGATIVE_INFINITY) >= endMs);
  }

  private insert(reading: Reading): void {
    let at = this.waiting.length;
    while (at > 0 && (this.waiting[at - 1]?.atMs ?? 0) > reading.atMs) at -= 1;
    // A repeated upload counts once.
    for (let same = at - 1; this.waiting[same]?.atMs === reading.atMs; same -= 1) {
      if (this.waiting[same]?.input !== reading.input) continue;
      this.waiting[same] = reading;
      return;
    }
    this.waiting.splice(at, 0, reading);
  }

  private finishOldest(): void {
    const oldest = this.waiting[0];
    if (oldest === undefined) return;
    const startMs = this.startOf(oldest);
    const endMs = startMs + this.plan.lengthMs;
    const beyond = this.waiting.findIndex(({ atMs }) => atMs >= endMs);
    const inside = this.waiting.splice(0, beyond === -1 ? this.waiting.length : beyond);
    this.windows.push({ startMs, endMs, readings: [...this.heldBefore(startMs, inside), ...inside] });
    for (const reading of inside) this.held[reading.input] = reading;
    this.finishedMs = endMs;
  }

  private heldBefore(startMs: number, inside: readonly Reading[]): Reading[] {
    const speaking = new Set(inside.map(({ input }) => input));
    return this.plan.inputs.flatMap((input) => {
      const held = this.held[input];
      const stands = held !== undefined && !speaking.has(input) && held.atMs >= startMs - this.patienceMs;
      return stands ? [held] : [];
    });
  }

  private startOf(reading: Reading): number {
    const { anchorMs, lengthMs } = this.plan;
    return anchorMs + Math.floor((reading.atMs - anchorMs) / lengthMs) * lengthMs;
  }
}
