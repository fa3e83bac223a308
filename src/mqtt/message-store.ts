import { chargePoints, type PointQuota } from '../fairness/point-quota';
import type { Clock } from '../platform/clock';
import { InvalidInput, PlatformError } from '../platform/errors';
import type { Description } from '../protocols/mqtt';
import type { SeriesOutcome, SeriesWriter } from '../resources/series/series-writer';
import type { SeriesPoint } from '../rules/series';
import { isAway } from '../storage/mysql-errors';
import { backOff } from './back-off';
import type { MessageReports } from './message-reports';
import { writeDescriptions } from './source-descriptions';
import { type LeasedSource, LeaseLost, type SourceLeases, type WorkerChange } from './source-leases';
import type { StoredPacket, StoredPackets } from './stored-packets';

const RETRY = { firstMs: 500, longestMs: 30_000 };

const WHY_REFUSED = {
  scope: 'this source may not make sensors',
  limit: 'the limit of sensors that are made for this source is reached',
  sensors: 'their sensor is not yours',
} as const;

/** A message that waits to be stored. */
export interface WaitingMessage {
  /** Undefined for QoS 0, which is not acknowledged. */
  packet: StoredPacket | undefined;
  /** None if there is nothing to store, and only the acknowledgement waits. */
  points: SeriesPoint[];
  topic: string;
  bytes: number;
  receivedMs: number;
  /** What it said about others. */
  described: readonly Description[];
  /** True if the broker may have delivered it before. */
  isRepeated: boolean;
}

export interface StoreParts {
  source: LeasedSource;
  packets: StoredPackets;
  leases: SourceLeases;
  writer: SeriesWriter;
  /** The points of a user per second. */
  quota: PointQuota;
  clock: Clock;
  reports: MessageReports;
}

/** Stores the messages of one connection, each batch in one transaction that checks the lease. */
export class MessageStore {
  private isClosed = false;
  private wake: (() => void) | undefined;

  constructor(private readonly parts: StoreParts) {}

  /**
   * Stores a batch, however long it takes. Returns how many messages from its beginning may be acknowledged: none once it
   * is closed, or the lease is lost.
   */
  async store(batch: readonly WaitingMessage[]): Promise<number> {
    const { reports } = this.parts;
    let isCharged = false;
    for (let failures = 0; !this.isClosed; failures += 1) {
      try {
        if (!isCharged) await this.charge(batch);
        isCharged = true;
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

  /** Ends pauses. A write that is running ends by itself. */
  close(): void {
    this.isClosed = true;
    this.wake?.();
  }

  /** Stores the first message of a batch that was refused, or gives up a single message. */
  private async storeFirst([first, ...others]: readonly WaitingMessage[], { message }: InvalidInput): Promise<number> {
    if (!first) return 0;
    if (others.length > 0) return this.store([first]);
    this.parts.reports.onUnreadable(first.topic, `cannot be stored: ${message}`);
    return this.store([{ ...first, points: [] }]);
  }

  /** Charges the points to the owner. TooMany beyond the limit of points per second. */
  private async charge(batch: readonly WaitingMessage[]): Promise<void> {
    const points = batch.reduce((sum, message) => sum + message.points.length, 0);
    if (points > 0) await chargePoints(this.parts.quota, this.parts.source.ownerId, points);
  }

  /** Undefined if there was nothing to store. */
  private async write(batch: readonly WaitingMessage[]): Promise<SeriesOutcome | undefined> {
    const { source, leases, writer, packets, clock } = this.parts;
    const points = batch.flatMap((message) => message.points);
    const stored = batch.flatMap(({ packet, points: own }) => (packet && own.length > 0 ? [packet] : []));
    const described = latestOf(batch);
    if (points.length === 0) {
      if (described.length > 0) await leases.describe(source, described);
      return undefined;
    }
    const change: WorkerChange = { unconfirmed: packets.toText(stored), lastMessageMs: clock.now() };
    const owner = { userId: source.ownerId, maker: { by: `mqtt:${source.id}`, limit: source.createLimit } };
    return writer.write(owner, points, batch[0]?.receivedMs ?? clock.now(), {
      alongside: async (connection) => {
        await leases.write(source, change, connection);
        await writeDescriptions(connection, source.id, described);
      },
    });
  }

  private observe(batch: readonly WaitingMessage[], { refused }: SeriesOutcome): void {
    const { reports } = this.parts;
    const withPoints = batch.filter(({ points }) => points.length > 0);
    const names = new Set(refused?.names);
    const lost = withPoints.filter(({ points }) => points.every(({ series }) => names.has(series.name)));
    reports.count('stored', withPoints.length - lost.length);
    if (!refused) return;
    reports.count('refused', lost.length);
    reports.onRefused(refused.names[0] ?? '', WHY_REFUSED[refused.why]);
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

/** The latest description of each topic: earlier ones need not be written. */
function latestOf(batch: readonly WaitingMessage[]): Description[] {
  const all = batch.flatMap(({ described }) => described);
  return [...new Map(all.map((description) => [description.topic, description])).values()];
}

function reasonOf(error: unknown): string {
  if (error instanceof PlatformError) return error.message;
  return isAway(error) ? 'the database cannot be reached' : 'an error of the platform';
}
