import { type Page, type PageOf, pageOf } from '../../edge/paging';
import { readerZone } from '../../language/reader-time';
import { readArrived } from '../../notifications';
import { TakesTooLong } from '../../platform/errors';
import type { Period } from '../../points';
import type { Database } from '../../storage';
import { chargeAnswer, finishSteps, throwIfCancelled } from '../../storage/cancellation';
import { User } from '../../storage/models/user.model';
import { runOn } from '../../storage/transaction';
import type { NoiseNumbers } from './noise-count';
import { type NoiseDay, NoiseReport, type NoiseRow, type NoiseSubject } from './noise-report';
import { readFirings, readNames } from './noise-rows';

const MOST_MS = 30_000;
/** What a number in memory is charged. */
const BYTES = 16;

export interface AskedNoise extends Period {
  by: NoiseSubject;
  timezone: string;
  days: readonly Period[];
}

export interface Noise {
  rows: PageOf<NoiseRow & { name: string | null }>;
  summary: NoiseNumbers;
  days: readonly NoiseDay[];
}

export interface CountedNoise extends Pick<AskedNoise, 'by'> {
  rows: readonly NoiseRow[];
  summary: NoiseNumbers;
  days: readonly NoiseDay[];
}

/** Counts alerts and what arrived about them, from firings and deliveries. */
export class NoiseService {
  constructor(private readonly database: Database) {}

  async timezoneOf(userId: number): Promise<string> {
    const user = await User.findByPk(userId, { attributes: ['timezone'] });
    return readerZone(user?.timezone ?? null);
  }

  /** Throws as `count` does. */
  async report(userId: number, asked: AskedNoise, page: Page): Promise<Noise> {
    return this.page(await this.count(userId, asked), page);
  }

  /** Deliveries are those of the user's own notifications. Throws TakesTooLong after 30 seconds. */
  async count(
    userId: number,
    { by, timezone, startMs, endMs, days }: AskedNoise,
    { isOfTeam = false }: { isOfTeam?: boolean } = {},
  ): Promise<CountedNoise> {
    const run = runOn(this.database.reads);
    const report = new NoiseReport(by, timezone, days);
    const deadline = performance.now() + MOST_MS;
    for await (const firings of readFirings(run, { userId, isOfTeam, startMs, endMs })) {
      const arrived = await readArrived(
        run,
        firings.flatMap(({ id, ownerId }) => (ownerId === userId ? [id] : [])),
      );
      await finishSteps(report.add(firings, arrived));
      chargeAnswer(report.size * BYTES);
      throwIfCancelled();
      if (performance.now() > deadline) throw new TakesTooLong();
    }
    const { rows, summary } = report;
    return { by, rows, summary, days: report.days };
  }

  async page({ by, rows: all, summary, days }: CountedNoise, page: Page): Promise<Noise> {
    const { items, total } = pageOf(all, page);
    const names = await readNames(
      by,
      items.map(({ id }) => id),
    );
    const rows = items.map((row) => ({ ...row, name: names.get(row.id) ?? null }));
    return { rows: { items: rows, total }, summary, days };
  }
}
