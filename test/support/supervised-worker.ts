import type { ChildProcess } from 'node:child_process';
import { startWorkerElsewhere } from './other-process';
import type { Platform } from './platform';

/** A worker that is started again whenever it ends, as a supervisor does. */
export class SupervisedWorker {
  /** How often it has ended by itself. */
  deaths = 0;
  private child: ChildProcess | undefined;
  private isOver = false;

  constructor(
    private readonly platform: Platform,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  async start(): Promise<void> {
    const child = await startWorkerElsewhere(this.platform, this.platform.container.config.redisUrl, this.settings);
    this.child = child;
    const again = () => {
      if (this.isOver) return;
      this.deaths += 1;
      void this.start().catch(() => undefined);
    };
    if (child.exitCode !== null || child.signalCode !== null) again();
    else child.once('exit', again);
  }

  stop(): void {
    this.isOver = true;
    this.child?.kill('SIGKILL');
  }
}
