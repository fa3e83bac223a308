import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '../../platform/logger';
import type { LoneEnd, LoneTask } from './work-kind';

const ENTRY = join(__dirname, '../../../workers/lone');
/** Suffices for the work of one owner. */
const HEAP_MB = 512;
/** A computing process gives no sign of life, and is ended after this time. */
const LIFELESS_S = 20;
/** Maximum wait for something else, or for the start of the process. */
const WAITS_S = 120;
const IDLE_MS = 30_000;

/** A sign of life each second, the beginning of a task, and its end. */
export type LoneMessage = 'alive' | 'begun' | LoneEnd;

/** Does one task at a time and may die for it. Starts when needed, and ends with its parent. */
export class LoneProcess {
  private child: ChildProcess | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  run(task: LoneTask): Promise<LoneEnd> {
    const work = this.queue.then(() => this.runNow(task));
    this.queue = work;
    return work;
  }

  close(): void {
    clearTimeout(this.idle);
    if (this.child?.connected) this.child.disconnect();
    this.child = undefined;
  }

  private async runNow(task: LoneTask): Promise<LoneEnd> {
    clearTimeout(this.idle);
    const end = await ask(this.running(), task);
    if (end.end === 'died') this.logger.warn({ ...task, reason: end.reason }, 'work ended the lone process');
    this.idle = setTimeout(() => this.close(), IDLE_MS).unref();
    return end;
  }

  private running(): ChildProcess {
    if (this.child) return this.child;
    const child = fork(ENTRY, { execArgv: [...inheritedOptions(), `--max-old-space-size=${HEAP_MB}`] });
    child.once('exit', () => {
      if (this.child === child) this.child = undefined;
    });
    child.on('error', () => undefined); // an exit as well
    this.child = child;
    return child;
  }
}

function inheritedOptions(): string[] {
  const code = process.execArgv.findIndex((option) => option === '-e' || option === '--eval');
  return process.execArgv.filter((_, index) => code < 0 || index < code || index > code + 1);
}

/**
 * Ticks stand still while this process does. A process that ends before it begins the task could not start, which says
 * nothing about the task.
 */
function ask(child: ChildProcess, task: LoneTask): Promise<LoneEnd> {
  return new Promise((resolve) => {
    let [hasBegun, lifeless, waited] = [false, 0, 0];
    const finish = (end: LoneEnd) => {
      clearInterval(ticks);
      child.off('message', onMessage).off('exit', onExit);
      resolve(end);
    };
    const onMessage = (message: unknown) => {
      lifeless = 0;
      if (message === 'begun') hasBegun = true;
      else if (message !== 'alive') finish(message as LoneEnd); // `workers/lone.ts` sends nothing else
    };
    const onExit = (code: number | null, signal: string | null) => {
      const reason = `its process ended with ${signal ?? `code ${code}`}`;
      finish({ end: hasBegun ? 'died' : 'failed', reason });
    };
    const ticks = setInterval(() => {
      lifeless += 1;
      waited += 1;
      if (hasBegun && lifeless > LIFELESS_S)
        child.kill('SIGKILL'); // an exit
      else if (waited > WAITS_S) {
        finish({ end: 'failed', reason: `it took longer than ${WAITS_S} seconds` });
        child.kill('SIGKILL');
      }
    }, 1_000);
    child.on('message', onMessage).once('exit', onExit);
    child.send(task, () => undefined); // a failure is an exit as well
  });
}
