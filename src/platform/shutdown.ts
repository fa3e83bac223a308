import type { Logger } from './logger';

/** How long a shutdown may take before the log reports what it waits for, and the interval of these reports. */
const LATE_MS = 3_000;

/** The pending steps of a shutdown, so that the log can name the one that delays it. */
export class Shutdown {
  private readonly steps = new Set<() => string>();
  private beganAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly lateMs = LATE_MS,
  ) {}

  /** Starts reporting a slow shutdown, until `end`. */
  begin(): void {
    this.beganAt = performance.now();
    this.timer = setInterval(() => this.logger.warn(this.state, 'closing takes long'), this.lateMs);
  }

  /**
   * Waits for the work. A function as its description is called for each report, so that it can report how much is
   * left.
   */
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
