// How the machine does: whether this process, which has little to do, gets its turn in time. What it is kept waiting is granted
// to the platform as well.
const TICK_MS = 100;
const WORTH_TELLING_MS = 100;

/** Notes when a timer came late, and by how much. */
export class Stalls {
  #stalls = [];
  #expectedMs = Date.now() + TICK_MS;
  #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick() {
    const nowMs = Date.now();
    const lateMs = nowMs - this.#expectedMs;
    if (lateMs >= WORTH_TELLING_MS) this.#stalls.push({ atMs: nowMs, lateMs });
    this.#expectedMs = nowMs + TICK_MS;
  }

  /** The longest in this time, in ms. */
  longest(fromMs = 0, toMs = Number.POSITIVE_INFINITY) {
    const within = this.#stalls.filter(({ atMs, lateMs }) => atMs >= fromMs && atMs - lateMs <= toMs);
    return within.reduce((most, { lateMs }) => Math.max(most, lateMs), 0);
  }

  end() {
    clearInterval(this.#timer);
  }
}
