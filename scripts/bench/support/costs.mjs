// What the processes of the platform have used: processor time and memory from /proc, statements and commands from the servers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Measures what passes between two calls. `processes` are pids by name. */
export class Costs {
  #processes;
  #pool;
  #redis;

  constructor({ processes, pool, redis }) {
    this.#processes = processes;
    this.#pool = pool;
    this.#redis = redis;
  }

  /** Starts to count; the returned function ends it and returns seconds by process, statements and commands. */
  async start() {
    const before = await this.#read();
    return async () => {
      const after = await this.#read();
      const cpu = Object.fromEntries(
        Object.keys(after.cpu).map((name) => [name, Math.max(0, after.cpu[name] - (before.cpu[name] ?? 0))]),
      );
      return {
        cpu,
        statements: after.statements - before.statements,
        commands: after.commands - before.commands,
        residentMb: after.residentMb,
      };
    };
  }

  /** Watches the memory of the processes; `end` returns the most that each has taken, in MB. */
  watchPeak() {
    const peaks = {};
    const look = () => {
      for (const [name, pid] of Object.entries(this.#processes())) {
        peaks[name] = Math.max(peaks[name] ?? 0, residentMb(pid));
      }
    };
    look();
    const timer = setInterval(look, 100);
    return {
      end: () => {
        clearInterval(timer);
        look();
        return peaks;
      },
    };
  }

  async #read() {
    const [[status]] = await this.#pool.query("SHOW GLOBAL STATUS LIKE 'Questions'");
    const stats = await this.#redis.info('stats');
    const pids = Object.entries(this.#processes());
    return {
      cpu: Object.fromEntries(pids.map(([name, pid]) => [name, cpuSeconds(pid)])),
      residentMb: Object.fromEntries(pids.map(([name, pid]) => [name, residentMb(pid)])),
      statements: Number(status.Value),
      commands: Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]),
    };
  }
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
