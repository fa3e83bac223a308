import { ConnectionError } from 'sequelize';
import type { Clock } from '../../platform/clock';
import { PlatformError } from '../../platform/errors';
import type { Database } from '../../storage';
import { Archive, type ArchiveKind } from '../../storage/models/archive.model';
import { isPermanent } from '../../storage/mysql-errors';
import { FIRST_PAUSE_MS, MAX_FAILURES, SLICE_MS } from '../knobs';
import { RefusedArchive } from '../refused-archive';
import { ArchiveWork, type Ending, Overtaken, Stopped } from './archive-work';

/** `more`: another job goes on. `overtaken`: another worker made the step, or it was cancelled. */
export type JobOutcome = 'nothing-waits' | 'pauses' | 'overtaken' | 'more' | 'done' | 'failed';

/** Returns true if the work is complete. */
export type Runner = (work: ArchiveWork<never>, slice: Slice) => Promise<boolean>;

/** `isOver`: the work ends with its present step. `isStopped`: at once, as it is. */
export interface Slice {
  isOver: () => boolean;
  isStopped: () => boolean;
}

/** Makes exports and imports, step by step. A worker goes on where another one was killed. */
export class ArchiveJobs {
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly runners: Readonly<Record<ArchiveKind, Runner>>,
  ) {}

  /** Ends each slice after its step, so that another worker can go on. */
  stop(): void {
    this.isStopped = true;
  }

  /** Throws the platform's own failures; the work pauses then, and ends after ten in a row. */
  async run(id: number): Promise<JobOutcome> {
    const archive = await Archive.findByPk(id);
    if (!archive?.active) return 'nothing-waits';
    if (archive.tryAgainMs > this.clock.now()) return 'pauses';
    const work = new ArchiveWork(this.database.pool, archive);
    const failures = archive.failures + 1;
    try {
      if (failures > MAX_FAILURES) return await fail(work, { error: `it failed ${MAX_FAILURES} times in a row` });
      await work.begin(failures);
      const endsAt = performance.now() + SLICE_MS;
      const isStopped = () => this.isStopped;
      const isOver = () => isStopped() || performance.now() > endsAt;
      return (await this.runners[archive.kind](work as never, { isOver, isStopped })) ? 'done' : 'more';
    } catch (error) {
      return this.judge(work, failures, error);
    }
  }

  private async judge(work: ArchiveWork, failures: number, error: unknown): Promise<JobOutcome> {
    if (error instanceof Overtaken) return 'overtaken';
    try {
      if (error instanceof Stopped) return await this.wait(work, 0);
      if (error instanceof RefusedArchive) return await fail(work, { error: error.why, entry: error.entry });
      if (error instanceof PlatformError && error.status === 429) return await this.wait(work, error.retryAfterSeconds);
      if (error instanceof PlatformError && error.status < 500) return await fail(work, { error: error.message });
      if (!(error instanceof ConnectionError) && isPermanent(error))
        await work.pause(failures, this.clock.now() + FIRST_PAUSE_MS * 2 ** (failures - 1));
    } catch (ended) {
      if (ended instanceof Overtaken) return 'overtaken';
      throw ended;
    }
    throw error;
  }

  /** The owner's limit is reached, or the worker is to stop: no failure. */
  private async wait(work: ArchiveWork, seconds = 1): Promise<JobOutcome> {
    await work.pause(0, this.clock.now() + seconds * 1_000);
    return 'pauses';
  }
}

async function fail(work: ArchiveWork, ending: Omit<Ending, 'state'>): Promise<JobOutcome> {
  await work.end({ state: 'failed', ...ending });
  return 'failed';
}
