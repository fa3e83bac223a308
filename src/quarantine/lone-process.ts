import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '../platform/logger';
import type { LoneEnd, LoneTask } from './work-kind';

const ENTRY = join(__dirname, '../../workers/lone');
/** A heap that suffices for the work of one owner. */
const HEAP_MB = 512;
/** A task may take so long, and so long more while the process starts. */
const TASK_MS = 10_000;
const START_MS = 30_000;
/** Without tasks the process ends after this time. */
const IDLE_MS = 30_000;

/**
 * A process that does one task at a time and may die for it: work that has ended several workers. It is started when it
 * is needed, and ends with its parent.
 */
export class LoneProcess {
  private child: ChildProcess | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** Does a task after all others before it. Never throws. */
  run(task: LoneTask): Promise<LoneEnd> {
    const work = this.queue.then(() => this.runNow(task));
    this.queue = work;
    return work;
  }

  /** Ends the process, after the task that it is doing. */
  close(): void {
    clearTimeout(this.idle);
    if (this.child?.connected) this.child.disconnect();
    this.child = undefined;
  }

  private async runNow(task: LoneTask): Promise<LoneEnd> {
    clearTimeout(this.idle);
    const isNew = this.child === undefined;
    this.child ??= fork(ENTRY, { execArgv: [...inheritedOptions(), `--max-old-space-size=${HEAP_MB}`] });
    const end = await ask(this.child, task, isNew ? TASK_MS + START_MS : TASK_MS);
    if (end.end === 'died') {
      this.logger.warn({ ...task, reason: end.reason }, 'work ended the lone process that did it');
      this.child = undefined;
    }
    this.idle = setTimeout(() => this.close(), IDLE_MS).unref();
    return end;
  }
}

/** Those of this process, without the code of `-e`, which `fork` would only leave out of its own defaults. */
function inheritedOptions(): string[] {
  const code = process.execArgv.findIndex((option) => option === '-e' || option === '--eval');
  return process.execArgv.filter((_, index) => code < 0 || index < code || index > code + 1);
}

function ask(child: ChildProcess, task: LoneTask, ms: number): Promise<LoneEnd> {
  return new Promise((resolve) => {
    const finish = (end: LoneEnd) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => undefined);
      resolve(end);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish({ end: 'died', reason: `it did not end within ${ms / 1_000} seconds` });
    }, ms);
    child.once('message', (end) => finish(end as LoneEnd)); // `workers/lone.ts` sends nothing else
    child.once('exit', (code, signal) => finish({ end: 'died', reason: `its process ended with ${signal ?? code}` }));
    child.once('error', (error) => finish({ end: 'died', reason: error.message }));
    child.send(task, () => undefined); // a failure is an exit as well
  });
}
