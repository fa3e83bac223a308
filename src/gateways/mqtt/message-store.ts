import { chargePoints, type PointQuota } from '../../fairness/point-quota';
import type { Clock } from '../../platform/clock';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { partsOf } from '../../platform/parts-of';
import { isAway } from '../../storage/mysql-errors';
import type { TransactionConnection } from '../../storage/pipeline';
import type { Description } from '../protocols/mqtt';
import type { RefusedSeries, SeriesOutcome, SeriesWriter } from '../series/series-writer';
import { backOff } from './back-off';
import type { MessageReports } from './message-reports';
import { writeDescriptions } from './source-descriptions';
import { type LeasedSource, LeaseLost, type SourceLeases, type WorkerChange } from './source-leases';
import type { StoredPackets } from './stored-packets';
import type { WaitingMessage } from './waiting-message';

const RETRY = { firstMs: 500, longestMs: 30_000 };
const SERIES_PER_LOOK = 1_000;
const RETAINED_BEFORE = 'retained by the broker, and equal to the last stored value';

function whyRefused({ why }: RefusedSeries, { createLimit }: LeasedSource): string {
  if (why === 'scope') return 'this source may not make sensors';
  if (why === 'sensors') return 'their sensor is not yours';
  return `the limit of ${createLimit} sensors that are made for this source is reached: raise its create_limit, or delete sensors`;
}

export interface StoreParts {
  source: LeasedSource;
  packets: StoredPackets;
  leases: SourceLeases;
  writer: SeriesWriter;
  quota: PointQuota;
  clock: Clock;
  reports: MessageReports;
}

/** A batch is a transaction that checks the lease. */
export class MessageStore {
  private isClosed = false;
  private wake: (() => void) | undefined;
  /** The last transaction without an answer would leave this as `unconfirmed`. */
  private unanswered: string | undefined;

  constructor(private readonly parts: StoreParts) {}

  /**
   * Returns how many messages from the beginning may be acknowledged: none after `close`, or without the lease. Those
   * with a `refusal` are not stored.
   */
  async store(batch: readonly WaitingMessage[]): Promise<number> {
    const { reports } = this.parts;
    const steps = [() => this.prepare(batch), () => this.charge(batch)];
    for (let failures = 0; !this.isClosed; failures += 1) {
      try {
        await runEach(steps);
        const outcome = await this.write(batch);
        if (failures > 0) reports.onRecovered();
        if (outcome) this.observe(batch, outcome);
        return batch.length;
      } catch (error) {
        if (error instanceof LeaseLost) {
          reports.onLost();
          return 0;
        }
        if (error instanceof InvalidInput) return this.storeFirst(batch, error);
        reports.onProblem(`messages wait, because they cannot be stored: ${reasonOf(error)}`);
        await this.pause(error, failures);
      }
    }
    return 0;
  }

  close(): void {
    this.isClosed = true;
    this.wake?.();
  }

  private async storeFirst([first, ...others]: readonly WaitingMessage[], { message }: InvalidInput): Promise<number> {
    if (!first) return 0;
    if (others.length > 0) return this.store([first]);
    this.parts.reports.onUnreadable(first.record, `cannot be stored: ${message}`);
    return this.store([{ ...first, points: [], leads: [] }]);
  }

  /** Before anything is stored: leads series to their devices, and leaves out known retained values. */
  private async prepare(batch: readonly WaitingMessage[]): Promise<void> {
    const { source, leases, writer } = this.parts;
    const leads = batch.flatMap((message) => message.leads);
    if (leads.length > 0) {
      await leases.describe(source, latestOf(batch), (connection) => writer.lead(connection, source.ownerId, leads));
    }
    if (source.retained === 'changes') await this.leaveOutUnchanged(batch);
  }

  private async leaveOutUnchanged(batch: readonly WaitingMessage[]): Promise<void> {
    const { source, writer, reports } = this.parts;
    const retained = batch.filter(({ isRetained, points }) => isRetained && points.length > 0);
    if (retained.length === 0) return;
    const series = retained.flatMap(({ points }) => points.map((point) => point.series));
    const values = new Map<string, string>();
    for (const some of partsOf(series, SERIES_PER_LOOK)) {
      for (const [name, value] of await writer.lastValues(source.ownerId, some)) values.set(name, value);
    }
    for (const message of batch) {
      if (message.points.length === 0) continue;
      if (message.isRetained)
        message.points = message.points.filter((point) => values.get(point.series.name) !== point.value);
      for (const point of message.points) values.set(point.series.name, point.value);
      if (message.points.length === 0) reports.onNothing(message.record, 'unchanged', RETAINED_BEFORE);
    }
  }

  /** Throws TooMany beyond the limit of points per second. */
  private async charge(batch: readonly WaitingMessage[]): Promise<void> {
    const points = batch.reduce((sum, message) => sum + message.points.length, 0);
    if (points > 0) await chargePoints(this.parts.quota, this.parts.source.ownerId, points);
  }

  private async write(batch: readonly WaitingMessage[]): Promise<SeriesOutcome | undefined> {
    const { source, leases, writer, packets, clock } = this.parts;
    const points = batch.flatMap((message) => message.points);
    const described = latestOf(batch);
    if (points.length === 0) {
      if (described.length > 0) await leases.describe(source, described, async () => undefined);
      return undefined;
    }
    const owner = { userId: source.ownerId, maker: { by: `mqtt:${source.id}`, limit: source.createLimit } };
    const outcome = await writer.write(owner, points, batch[0]?.receivedMs ?? clock.now(), {
      alongside: async (connection, refused) => {
        if (await this.isStoredBefore(connection)) return 'stored before';
        const stored = batch.filter(({ points: own }) => own.some(({ series }) => !refused.has(series.name)));
        const packetsOf = stored.flatMap(({ packet }) => packet ?? []);
        const unconfirmed = packets.toText(packetsOf);
        // Without a packet nothing shows whether the transaction was committed.
        this.unanswered = packetsOf.length > 0 ? unconfirmed : undefined;
        const change: WorkerChange = { unconfirmed, lastMessageMs: clock.now() };
        await leases.write(source, change, connection);
        await writeDescriptions(connection, source.id, described);
        return 'new';
      },
    });
    this.unanswered = undefined;
    return outcome;
  }

  /** Waits for the end of a transaction whose connection was lost. */
  private async isStoredBefore(connection: TransactionConnection): Promise<boolean> {
    if (this.unanswered === undefined) return false;
    const { leases, source } = this.parts;
    return (await leases.lockUnconfirmed(source, connection)) === this.unanswered;
  }

  private observe(batch: readonly WaitingMessage[], { refused, sensors }: SeriesOutcome): void {
    const { reports, source } = this.parts;
    const names = new Set(refused?.names);
    let stored = 0;
    for (const message of batch) {
      if (message.points.length === 0) continue;
      const lost = message.points.find(({ series }) => names.has(series.name))?.series.name;
      const ids = new Set(message.points.flatMap(({ series }) => sensors?.get(series.name) ?? []));
      const refusal = refused && lost !== undefined ? { series: lost, why: whyRefused(refused, source) } : undefined;
      if (ids.size === 0 && refusal) {
        message.refusal = refusal;
        continue;
      }
      stored += 1;
      message.refusal = undefined;
      reports.onStored(message.record, [...ids]);
      if (refusal) reports.onNote(message.topic, `values of ${refusal.series} are not stored: ${refusal.why}`);
    }
    reports.count('stored', stored);
  }

  private async pause(error: unknown, failures: number): Promise<void> {
    const askedMs = error instanceof PlatformError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    const ms = Math.max(backOff(failures, RETRY), Math.min(askedMs, RETRY.longestMs));
    if (this.isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function latestOf(batch: readonly WaitingMessage[]): Description[] {
  const all = batch.flatMap(({ described }) => described);
  return [...new Map(all.map((description) => [description.topic, description])).values()];
}

async function runEach(steps: (() => Promise<void>)[]): Promise<void> {
  for (let [step] = steps; step; [step] = steps) {
    await step();
    steps.shift();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof PlatformError) return error.message;
  return isAway(error) ? 'the database cannot be reached' : 'an error of the platform';
}
