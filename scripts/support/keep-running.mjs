import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMs = 250;
const longestPauseMs = 5_000;
const steadyAfterMs = 30_000;

/**
 * Keeps one process running: starts it again, after a short and growing pause, whenever it ends unexpectedly. `launch`
 * starts it and returns the child.
 */
export class KeptProcess {
  #launch;
  #guard;
  #onCrash;
  #isToEnd = false;
  #isToRestart = false;
  #pauseMs = shortestPauseMs;

  constructor({ guard, launch, onCrash }) {
    this.#guard = guard;
    this.#launch = launch;
    this.#onCrash = onCrash;
    this.#start();
  }

  /** Ends it permanently. */
  async stop() {
    this.#isToEnd = true;
    await this.#guard.stop(this.child);
  }

  /** Ends it and starts it again at once. */
  async restart() {
    this.#isToRestart = true;
    await this.#guard.stop(this.child);
  }

  #start() {
    const begun = Date.now();
    this.#isToRestart = false;
    this.child = this.#launch();
    this.child.once('error', (error) => this.#onEnd(begun, error.message));
    this.child.once('exit', (code, signal) => this.#onEnd(begun, signal ?? `exit code ${code}`));
  }

  async #onEnd(begun, reason) {
    if (this.#isToEnd || this.#guard.isClosed) return;
    if (!this.#isToRestart) await this.#afterCrash(begun, reason);
    if (!this.#isToEnd && !this.#guard.isClosed) this.#start();
  }

  async #afterCrash(begun, reason) {
    if (Date.now() - begun > steadyAfterMs) this.#pauseMs = shortestPauseMs;
    this.#onCrash(reason);
    await sleep(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
