import { WorkAccount, type WorkLimits } from '../../fairness/work-account';
import { weeksBefore } from '../../language/weekly-time';
import type { WrittenMail } from '../../notifications';
import { PlatformError } from '../../platform/errors';
import type { Words } from '../../platform/words/words';
import type { Period } from '../../points';
import { runCancellable } from '../../storage/cancellation';
import type { Noise, NoiseService } from './noise.service';
import { MOST_TRIGGERS, type SuggestionsService } from './suggestions.service';
import { uncountedMail, type WeekOfNoise, weeklyMail } from './weekly-mail';

const LOUDEST = { offset: 0, limit: MOST_TRIGGERS, withTotal: false };
const NOTHING = { ...LOUDEST, limit: 0 };

export interface WeeklyReader {
  userId: number;
  timezone: string;
  words: Words;
}

/** Writes what the owner of triggers reads once a week. */
export class WeeklyMails {
  constructor(
    private readonly noise: Pick<NoiseService, 'report'>,
    private readonly suggestions: Pick<SuggestionsService, 'suggestForNoisiest'>,
    private readonly work: WorkLimits,
    private readonly publicUrl: string,
  ) {}

  /** About the local week that ends then. Charged to its reader. */
  async write({ userId, timezone, words }: WeeklyReader, endMs: number): Promise<WrittenMail> {
    const week = { startMs: weeksBefore(timezone, endMs, 1), endMs, timezone };
    try {
      const counted = await this.charged(userId, () => this.count(userId, week));
      return weeklyMail({ ...week, ...counted }, this.publicUrl, words);
    } catch (error) {
      if (error instanceof PlatformError) return uncountedMail(week, this.publicUrl, words);
      throw error;
    }
  }

  private async charged<T>(userId: number, count: () => Promise<T>): Promise<T> {
    const work = new WorkAccount(this.work, userId);
    let held = 0;
    const hold = (bytes: number) => {
      if (bytes <= held) return;
      work.charge(bytes - held);
      held = bytes;
    };
    const { signal } = new AbortController(); // nobody waits who could leave
    return runCancellable(signal, count, { userId, work, hold }).finally(() => work.release(held));
  }

  private async count(
    userId: number,
    { startMs, endMs, timezone }: Period & { timezone: string },
  ): Promise<Pick<WeekOfNoise, 'noise' | 'before' | 'suggestions'>> {
    const known = { by: 'trigger', timezone, days: [] } as const;
    const noise = await this.noise.report(userId, { ...known, startMs, endMs }, LOUDEST);
    const beforeMs = weeksBefore(timezone, endMs, 2);
    const earlier = await this.noise.report(userId, { ...known, startMs: beforeMs, endMs: startMs }, NOTHING);
    const suggestions = await this.countSuggestions(noise, { startMs, endMs });
    return { noise, before: earlier.summary, suggestions };
  }

  /** Null if a backtest of the user runs, or there is too much data. */
  private async countSuggestions({ rows, summary }: Noise, range: Period): Promise<number | null> {
    if (summary.episodes === 0) return null;
    try {
      return (await this.suggestions.suggestForNoisiest(rows.items, range)).suggestions.length;
    } catch (error) {
      if (error instanceof PlatformError) return null;
      throw error;
    }
  }
}
