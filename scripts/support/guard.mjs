import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startOf, stopAll, stopProcess } from './processes.mjs';

const watchdogFile = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Keeps the list of what this process started, so that nothing stays behind: a watchdog process has the list too and
 * acts on it when this process is gone, and with `recordIn` the next start finds it in a file.
 */
export class Guard {
  #duties = { processes: [], folders: [], commands: [] };
  #record;
  #watchdog = this.#release();
  #closed = false;

  /** Starts a process of its own group, so that Ctrl-C in a terminal reaches only the one who knows the order. */
  spawn(command, args, { order, waitMs, ...options }) {
    const child = spawn(command, args, { ...options, detached: true });
    if (child.pid !== undefined) {
      const entry = { pid: child.pid, started: startOf(child.pid), order, waitMs };
      this.#change('processes', (list) => [...list, entry]);
      child.once('exit', () => this.#change('processes', (list) => list.filter((each) => each.pid !== child.pid)));
    }
    return child;
  }

  /** Stops one process that this guard started. */
  async stop(child) {
    const entry = this.#duties.processes.find((each) => each.pid === child.pid);
    if (entry) await stopProcess(entry);
  }

  /** True once everything is being stopped: nothing is to be started any more. */
  get isClosed() {
    return this.#closed;
  }

  /** A folder to remove in the end. */
  removeAtEnd(folder) {
    this.#change('folders', (list) => [...list, folder]);
  }

  /** A command to run in the end, after all processes have stopped. */
  runAtEnd(command) {
    this.#change('commands', (list) => [...list, command]);
  }

  /** Keeps the list of processes in a file as well. */
  recordIn(file) {
    this.#record = file;
    this.#publish();
  }

  /** Stops everything in its order. What it leaves to do (commands, folders) the watchdog does. */
  async close() {
    this.#closed = true;
    await stopAll(this.#duties.processes);
    if (this.#record) rmSync(this.#record, { force: true });
    const gone = new Promise((resolve) => this.#watchdog.once('exit', resolve));
    this.#watchdog.ref();
    this.#watchdog.stdin.end();
    await Promise.race([gone, sleep(60_000, undefined, { ref: false })]);
  }

  #change(kind, edit) {
    this.#duties[kind] = edit(this.#duties[kind]);
    this.#publish();
  }

  #publish() {
    if (!this.#watchdog.stdin.writableEnded) this.#watchdog.stdin.write(`${JSON.stringify(this.#duties)}\n`);
    if (!this.#record || this.#closed) return;
    const self = { pid: process.pid, started: startOf(process.pid) };
    writeFileSync(this.#record, JSON.stringify({ owner: self, processes: this.#duties.processes }));
  }

  #release() {
    const watchdog = spawn(process.execPath, [watchdogFile], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    watchdog.stdin.on('error', () => {});
    watchdog.once('exit', () => {
      if (this.#closed) return;
      this.#watchdog = this.#release();
      this.#publish();
    });
    watchdog.unref();
    watchdog.stdin.unref();
    return watchdog;
  }
}
