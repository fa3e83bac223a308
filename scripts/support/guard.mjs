import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startOf, stopAll, stopProcess } from './processes.mjs';

const watchdogFile = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Lists the processes that this process starts, so that none is left running. A watchdog process has the list as well,
 * and stops everything once this process has ended. With `recordIn` the next start finds the list in a file.
 */
export class Guard {
  #duties = { processes: [], folders: [], commands: [] };
  #record;
  #watchdog = this.#startWatchdog();
  #closed = false;

  /** Starts a process in its own group, so that Ctrl-C in a terminal reaches only us, and we stop all in order. */
  spawn(command, args, { order, waitMs, ...options }) {
    if (this.#closed) throw new Error('everything is being stopped');
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

  /** True once everything is being stopped: nothing may be started after that. */
  get isClosed() {
    return this.#closed;
  }

  /** Adds a folder to remove at the end. */
  removeAtEnd(folder) {
    this.#change('folders', (list) => [...list, folder]);
  }

  /** Adds a command to run at the end, after all processes have stopped. */
  runAtEnd(command) {
    this.#change('commands', (list) => [...list, command]);
  }

  /** Writes the list of processes to a file as well. */
  recordIn(file) {
    this.#record = file;
    this.#publish();
  }

  /** Stops all processes in order. The watchdog then runs the commands and removes the folders. */
  async close() {
    this.#closed = true;
    await stopAll(this.#duties.processes);
    if (this.#record) rmSync(this.#record, { force: true });
    const ended = new Promise((resolve) => this.#watchdog.once('exit', resolve));
    this.#watchdog.ref();
    this.#watchdog.stdin.end();
    await Promise.race([ended, sleep(60_000, undefined, { ref: false })]);
  }

  #change(kind, edit) {
    this.#duties[kind] = edit(this.#duties[kind]);
    this.#publish();
  }

  #publish() {
    if (!this.#watchdog.stdin.writableEnded) this.#watchdog.stdin.write(`${JSON.stringify(this.#duties)}\n`);
    if (!this.#record || this.#closed) return;
    const self = { pid: process.pid, started: startOf(process.pid) };
    writeFileSync(this.#record, JSON.stringify({ owner: self, processes: this.#duties.processes }), {
      mode: 0o600,
    });
  }

  #startWatchdog() {
    const watchdog = spawn(process.execPath, [watchdogFile], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    watchdog.stdin.on('error', () => {});
    watchdog.once('exit', () => {
      if (this.#closed) return;
      this.#watchdog = this.#startWatchdog();
      this.#publish();
    });
    watchdog.unref();
    watchdog.stdin.unref();
    return watchdog;
  }
}
