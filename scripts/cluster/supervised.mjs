// A process of the platform that is started again whenever it ends by itself, like a service manager does.
import { setTimeout as sleep } from 'node:timers/promises';

const RESTART_MS = 1_000;
const READY_WITHIN_MS = 60_000;
/** The log line of a process that cannot start, because its MySQL is away. */
const CANNOT_START = 'cannot start';

export class Supervised {
  /** Number of unrequested ends after a start: 0, unless there is a bug. */
  ownEnds = 0;
  #isWanted = true;

  /** `isReady`: returns whether the process is ready, if that can be queried. */
  constructor({ kind, launch, log, isReady = async () => true }) {
    Object.assign(this, { kind, launch, log, isReady });
    this.#start();
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Kills it, starts it again after `downMs`, and waits until it is ready. */
  async bounce(downMs) {
    this.#isWanted = false;
    const ended = this.#end();
    this.child.kill('SIGKILL');
    await ended;
    await sleep(downMs);
    this.#isWanted = true;
    this.#start();
    const until = Date.now() + READY_WITHIN_MS;
    while (!(await this.isReady())) {
      if (Date.now() > until) throw new Error(`${this.#name} does not get ready`);
      await sleep(100);
    }
  }

  /** Asks it to end. Returns true if it did so within `limitMs`, with exit code 0. */
  async stop(limitMs) {
    const wasStarting = this.hasEnded;
    this.#isWanted = false;
    if (wasStarting) return true;
    const { child } = this;
    const fromMs = Date.now();
    const ended = this.#end().then(() => child.exitCode === 0);
    child.kill('SIGTERM');
    const isInTime = await Promise.race([ended, sleep(limitMs, false)]);
    if (!isInTime) this.log(`${this.#name}: exit code ${child.exitCode} after ${Date.now() - fromMs} ms`);
    return isInTime;
  }

  #start() {
    const child = this.launch();
    this.child = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    child.once('exit', async (code, signal) => {
      if (!this.#isWanted || this.child !== child) return;
      const hadStarted = !errors.includes(CANNOT_START);
      if (hadStarted) this.ownEnds += 1;
      this.log(`${this.#name} ended by itself (${signal ?? code}): ${errors.trim() || 'no reason given'}`);
      await sleep(RESTART_MS);
      if (this.#isWanted && this.child === child) this.#start();
    });
  }

  #end() {
    const { child } = this;
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => child.once('exit', resolve));
  }

  get #name() {
    return `${this.kind} ${this.child.pid}`;
  }
}
