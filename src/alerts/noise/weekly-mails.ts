import { weeksBefore } from '../../language/weekly-time';
import type { WrittenMail } from '../../notifications';
import { PlatformError } from '../../platform/errors';
import type { Words } from '../../platform/words/words';
import type { NoiseService } from './noise.service';
import type { SuggestionsService } from './suggestions.service';
import { weeklyMail } from './weekly-mail';

const LOUDEST = { offset: 0, limit: 3, withTotal: false };
const NOTHING = { ...LOUDEST, limit: 0 };

export interface WeeklyReader {
  userId: number;
  timezone: string;
  words: Words;
}

/** Writes what the owner of triggers reads once a week. */
export class WeeklyMails {
  constructor(
    private readonly noise: NoiseService,
    private readonly suggestions: Pick<SuggestionsService, 'suggest'>,
    private readonly publicUrl: string,
  ) {}

  /** About the local week that ends then. */
  async write({ userId, timezone, words }: WeeklyReader, endMs: number): Promise<WrittenMail> {
    const startMs = weeksBefore(timezone, endMs, 1);
    const beforeMs = weeksBefore(timezone, endMs, 2);
    const known = { by: 'trigger', timezone, days: [] } as const;
    const noise = await this.noise.report(userId, { ...known, startMs, endMs }, LOUDEST);
    const { summary: before } = await this.noise.report(
      userId,
      { ...known, startMs: beforeMs, endMs: startMs },
      NOTHING,
    );
    const suggestions = noise.summary.episodes === 0 ? null : await this.count(userId, { startMs, endMs });
    return weeklyMail({ startMs, endMs, timezone, noise, before, suggestions }, this.publicUrl, words);
  }

  /** Null if a backtest of the user runs, or there is too much data. */
  private async count(userId: number, range: { startMs: number; endMs: number }): Promise<number | null> {
    try {
      return (await this.suggestions.suggest(userId, range)).suggestions.length;
    } catch (error) {
      if (error instanceof PlatformError) return null;
      throw error;
    }
  }
}
