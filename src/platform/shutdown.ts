import type { Logger } from './logger';

const LATE_MS = 3_000;

/** Names the pending steps of a slow shutdown in the log. */
export class Shutdown {
  private readonly steps = new Set<() => string>();
  private beganAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly lateMs = LATE_MS,
  ) {}

  /** Reports a slow shutdown until `end`. */
  begin(): void {
    this.beganAt = performance.now();
    this.timer = setInterval(() => this.logger.warn(this.state, 'closing takes long'), this.lateMs);
  }

  async waitFor<T>(what: string | (() => string), work: Promise<T>): Promise<T> {
    const step = () => (typeof what === 'string' ? what : what());
    this.steps.add(step);
    try {
      return await work;
    } finally {
      this.steps.delete(step);
    }
  }

  /** Call when the process cannot wait any longer. */
  cutOff(): void {
    this.logger.error(this.state, 'closing took too long and was cut off; other processes continue what is unfinished');
    this.end();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private get state(): { waitingFor: string[]; ms: number } {
    return {
      waitingFor: Array.from(this.steps, (describe) => describe()),
      ms: Math.round(performance.now() - this.beganAt),
    };
  }
}
