// Measures how busy the machine is: the delay of this process's timers, which has little to do. The platform may be
// late by the same time: its work passes through several processes, one after another, and each waits for a core as
// this one does.
const TICK_MS = 100;
const WORTH_RECORDING_MS = 20;

/** Records when a timer was late, and by how much. */
export class Stalls {
  #stalls = [];
  #expectedMs = Date.now() + TICK_MS;
  #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick() {
    const nowMs = Date.now();
    const lateMs = nowMs - this.#expectedMs;
    if (lateMs >= WORTH_RECORDING_MS) this.#stalls.push({ atMs: nowMs, lateMs });
    this.#expectedMs = nowMs + TICK_MS;
  }

  /** The longest delay in this time, in ms. */
  longest(fromMs = 0, toMs = Number.POSITIVE_INFINITY) {
    return this.#within(fromMs, toMs).reduce((most, { lateMs }) => Math.max(most, lateMs), 0);
  }

  /** The total delay of the timers in this time, in ms. */
  total(fromMs, toMs) {
    return this.#within(fromMs, toMs).reduce((sum, { lateMs }) => sum + lateMs, 0);
  }

  #within(fromMs, toMs) {
    return this.#stalls.filter(({ atMs, lateMs }) => atMs >= fromMs && atMs - lateMs <= toMs);
  }

  end() {
    clearInterval(this.#timer);
  }
}
