import type { Logger } from './logger';

/** How long an end may take before the log says what it waits for, and how often it says so again. */
const LATE_MS = 3_000;

/** What a process that was asked to end still waits for, so that the log can name what holds it up. */
export class Shutdown {
  private readonly steps = new Set<() => string>();
  private beganAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly lateMs = LATE_MS,
  ) {}

  /** From now on an end that takes long is logged, until `end`. */
  begin(): void {
    this.beganAt = performance.now();
    this.timer = setInterval(() => this.logger.warn(this.state, 'closing takes long'), this.lateMs);
  }

  /** Waits for the work, whose description is asked for when it is logged: it may say how much is left. */
  async waitFor<T>(what: string | (() => string), work: Promise<T>): Promise<T> {
    const step = () => (typeof what === 'string' ? what : what());
    this.steps.add(step);
    try {
      return await work;
    } finally {
      this.steps.delete(step);
    }
  }

  /** Call this when the process cannot wait any longer. */
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
