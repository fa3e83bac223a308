import { performance } from 'node:perf_hooks';

const TICK_MS = 10;
/** A pause of this process that is longer was not its own, unless it computed meanwhile. */
const OWN_PAUSE_MS = 50;

/**
 * Measures how long something keeps somebody waiting, on a machine that may stand still in the middle: time in which this
 * process neither came to run nor computed does not count.
 */
export class Stopwatch {
  private sumMs = 0;
  private seenMs = performance.now();
  private used = process.cpuUsage();
  private readonly timer = setInterval(() => this.count(), TICK_MS).unref();

  /** The time since the start, in ms; the measurement goes on. */
  read(): number {
    this.count();
    return this.sumMs;
  }

  /** The time since the start, in ms. */
  stop(): number {
    clearInterval(this.timer);
    return this.read();
  }

  private count(): void {
    const { user, system } = process.cpuUsage(this.used);
    const nowMs = performance.now();
    this.sumMs += Math.min(nowMs - this.seenMs, OWN_PAUSE_MS + (user + system) / 1_000);
    this.seenMs = nowMs;
    this.used = process.cpuUsage();
  }
}

/** How long this takes, in ms, as a stopwatch has it. */
export async function timed(work: () => unknown): Promise<number> {
  const watch = new Stopwatch();
  await work();
  return watch.stop();
}
