import type { Clock } from '../../platform/clock';
import { type LeasedSource, LeaseLost, type MessageCount, type SourceLeases, type WorkerChange } from './source-leases';

/** Minimum time between two writes. */
const EVERY_MS = 2_000;

type Report = Pick<WorkerChange, 'state' | 'lastError' | 'counts' | 'kept' | 'giveBack'>;

/** Writes a source's state at most every two seconds. */
export class StateReport {
  private pending: Report | undefined;
  private timer: NodeJS.Timeout | undefined;
  private nextMs = 0;
  private isStopped = false;

  constructor(
    private readonly leases: SourceLeases,
    private readonly source: Pick<LeasedSource, 'id' | 'revision'>,
    private readonly clock: Clock,
    private readonly onLost: () => void,
  ) {}

  add(change: Report): void {
    this.pending = this.pending ? merged(this.pending, change) : change;
    this.schedule();
  }

  /** Never fails: what cannot be written now is written later. */
  async flush(): Promise<void> {
    const change = this.pending;
    if (!change) return;
    this.pending = undefined;
    this.nextMs = this.clock.now() + EVERY_MS;
    try {
      await this.leases.write(this.source, change);
    } catch (error) {
      if (error instanceof LeaseLost) return this.onLost();
      this.pending = this.pending ? merged(change, this.pending) : change;
      this.schedule();
    }
  }

  /** Writes nothing more by itself. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        void this.flush();
      },
      Math.max(0, this.nextMs - this.clock.now()),
    );
  }
}

function merged(older: Report, newer: Report): Report {
  return { ...older, ...newer, counts: sumOf(older.counts, newer.counts) };
}

function sumOf(one: Report['counts'] = {}, other: Report['counts'] = {}): Report['counts'] {
  const sum = { ...one };
  for (const [name, number] of Object.entries(other)) {
    const count = name as MessageCount; // the keys of counts
    sum[count] = (sum[count] ?? 0) + number;
  }
  return sum;
}
