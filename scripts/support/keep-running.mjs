import { setTimeout as sleep } from 'node:timers/promises';

const steadyAfterMs = 30_000;
const longestPauseMs = 5_000;

/**
 * Keeps one process running: started again, after a short and growing pause, whenever it ends without being asked.
 * `launch` starts it and gives the child.
 */
export class KeptProcess {
  #launch;
  #guard;
  #onCrash;
  #stopping = false;
  #pauseMs = 250;

  constructor({ guard, launch, onCrash }) {
    this.#guard = guard;
    this.#launch = launch;
    this.#onCrash = onCrash;
    this.#start();
  }

  /** Ends it for good. */
  async stop() {
    this.#stopping = true;
    await this.#guard.stop(this.child);
  }

  /** Ends it; it comes back by itself, at once. */
  async restart() {
    this.#pauseMs = 0;
    await this.#guard.stop(this.child);
  }

  #start() {
    const begun = Date.now();
    this.child = this.#launch();
    this.child.once('error', (error) => this.#again(begun, error.message));
    this.child.once('exit', (code, signal) => this.#again(begun, signal ?? `exit code ${code}`));
  }

  async #again(begun, reason) {
    if (this.#mayEnd()) return;
    const pauseMs = Date.now() - begun > steadyAfterMs ? 250 : this.#pauseMs;
    this.#pauseMs = Math.min(Math.max(pauseMs, 125) * 2, longestPauseMs);
    if (pauseMs > 0) this.#onCrash(reason);
    await sleep(pauseMs);
    if (!this.#mayEnd()) this.#start();
  }

  #mayEnd() {
    return this.#stopping || this.#guard.isClosed;
  }
}
