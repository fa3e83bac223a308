// Measures how busy the machine is: the delay of this process's timers, which has little to do. The platform may be
// late by the same time: its work passes through several processes, one after another, and each waits for a core as
// this one does.
import { availableParallelism, loadavg } from 'node:os';

/**
 * While the timer is not due, this process does not notice how long others wait for a core: the pause must be short next
 * to such a wait. With pauses of 100 ms and waits of 400 ms, a fifth of the time in which nothing gets a core is not counted.
 */
const TICK_MS = 20;
const WORTH_RECORDING_MS = 20;

/** Of the promise of two seconds, for each process that waited for a core before the run; and how many count at most. */
const SLOW_MS = 2_000;
const MOST_WAITING = 4;

/** How much later everything may be because other programs use the machine, in ms: to be measured before the run loads it. */
export function slowMsOfMachine(loadPerCore = loadavg()[0] / availableParallelism()) {
  return SLOW_MS * Math.min(MOST_WAITING, Math.max(0, loadPerCore - 1));
}

/** Records when a timer was late, and by how much. `slowMs` is what `slowMsOfMachine` has said before the run. */
export class Stalls {
  #startMs = Date.now();
  #stalls = [];
  #expectedMs = Date.now() + TICK_MS;
  #usage = process.cpuUsage();
  #timer = setInterval(() => this.#tick(), TICK_MS);

  constructor(slowMs = 0) {
    this.slowMs = slowMs;
  }

  #tick() {
    const nowMs = Date.now();
    const lateMs = nowMs - this.#expectedMs;
    const { user, system } = process.cpuUsage(this.#usage);
    if (lateMs >= WORTH_RECORDING_MS) this.#stalls.push({ atMs: nowMs, lateMs, busyMs: (user + system) / 1000 });
    this.#expectedMs = nowMs + TICK_MS;
    this.#usage = process.cpuUsage();
  }

  /** How far into the run a moment is, in seconds. */
  secondsInto(atMs) {
    return Math.round((atMs - this.#startMs) / 1000);
  }

  /** The longest delays: when, and how long this process computed meanwhile; the longest first. */
  worst(count) {
    const sorted = this.#stalls.toSorted((a, b) => b.lateMs - a.lateMs).slice(0, count);
    return sorted.map(
      ({ atMs, lateMs, busyMs }) =>
        `${lateMs} ms at ${this.secondsInto(atMs)} s, ${Math.round(busyMs)} ms of it by itself`,
    );
  }

  /** The longest delay in this time, in ms. */
  longest(fromMs = 0, toMs = Number.POSITIVE_INFINITY) {
    return this.#within(fromMs, toMs).reduce((most, { lateMs }) => Math.max(most, lateMs), 0);
  }

  /** The total delay of the timers in this time, in ms. */
  total(fromMs, toMs) {
    return this.#within(fromMs, toMs).reduce((sum, { lateMs }) => sum + lateMs, 0);
  }

  /** How much later something may be in this time than on an idle machine, in ms. */
  allowance(fromMs, toMs) {
    return this.total(fromMs, toMs) + this.slowMs;
  }

  #within(fromMs, toMs) {
    return this.#stalls.filter(({ atMs, lateMs }) => atMs >= fromMs && atMs - lateMs <= toMs);
  }

  end() {
    clearInterval(this.#timer);
  }
}
