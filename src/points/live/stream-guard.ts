import { readSeenTriggers } from '../../access/alert-access';
import { reaches } from '../../access/credential.policy';
import type { Identity } from '../../platform/caller';
import { partsOf } from '../../platform/parts-of';
import type { Database } from '../../storage';
import { readSensorViewers } from '../../storage/sensor-visibility';
import { runOn } from '../../storage/transaction';
import type { StreamFeed } from '../streams/stream-feed';
import type { StreamReader } from '../streams/stream-reader';
import type { StreamTopics } from '../streams/topics';

/** With the time of a check, access ends within ten seconds. */
const CHECK_MS = 6_000;
const READERS_AT_ONCE = 200;
const RENEW_MS = 3_600_000;

/** Current identity of the credential; null if it has ended, or may no longer do this. */
export type Recheck = () => Promise<Identity | null>;

/** Ends streams without access, follows rights on the alerts of others, and renews the topics of the others. */
export class StreamGuard {
  private readonly watched = new Map<StreamReader, Recheck>();
  private readonly extending = new Set<StreamReader>();
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  private renewedAt = performance.now();

  constructor(
    private readonly database: Database,
    private readonly topics: StreamTopics,
    private readonly feed: Pick<StreamFeed, 'extend'>,
  ) {}

  watch(reader: StreamReader, recheck: Recheck): void {
    this.watched.set(reader, recheck);
    reader.onClose(() => this.forget(reader));
    this.timer ??= setInterval(() => void this.checkAll(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private forget(reader: StreamReader): void {
    this.watched.delete(reader);
    if (this.watched.size === 0) this.stop();
  }

  private async checkAll(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      const readers = [...this.watched];
      for (const some of partsOf(readers, READERS_AT_ONCE)) await this.check(some);
      if (performance.now() - this.renewedAt > RENEW_MS) await this.renew();
    } catch {
      // Without MySQL there is nothing to stream; the next check comes soon.
    } finally {
      this.isChecking = false;
    }
  }

  private async check(readers: readonly (readonly [StreamReader, Recheck])[]): Promise<void> {
    const found = await Promise.all(
      readers.map(async ([reader, recheck]) => ({ reader, identity: await recheck() })), // looked up together
    );
    const viewers = await this.readViewers(readers.map(([reader]) => reader));
    for (const { reader, identity } of found) {
      const { kind, thingIds } = reader.topics;
      const isSeen = (id: number) =>
        identity && reaches(identity.credential, id) && viewers.has(`${id} ${reader.userId}`);
      if (identity?.userId !== reader.userId) reader.end('credential_ended');
      else if (kind === 'sensor' && !thingIds.every(isSeen)) reader.end('access_ended');
    }
    await this.showFirings(readers.map(([reader]) => reader).filter(({ topics }) => topics.kind === 'firings'));
  }

  /** Rights on the alerts of others begin and end. */
  private async showFirings(readers: readonly StreamReader[]): Promise<void> {
    const userIds = [...new Set(readers.map(({ userId }) => userId))];
    const seen = await readSeenTriggers(runOn(this.database.pool), userIds);
    for (const reader of readers) reader.see(seen.get(reader.userId) ?? new Map());
    for (const reader of readers) {
      const owners = new Set(seen.get(reader.userId)?.values());
      const added = [...owners].filter((id) => !reader.topics.thingIds.includes(id));
      if (added.length > 0) void this.extend(reader, added); // it waits for passes, and checks must not wait
    }
  }

  private async extend(reader: StreamReader, ownerIds: readonly number[]): Promise<void> {
    if (this.extending.has(reader)) return;
    this.extending.add(reader);
    try {
      await this.topics.watch({ kind: 'firings', thingIds: ownerIds });
      this.feed.extend(reader, ownerIds);
    } catch {
      // The next check tries again.
    } finally {
      this.extending.delete(reader);
    }
  }

  private readViewers(readers: readonly StreamReader[]): Promise<ReadonlySet<string>> {
    const ofSensors = readers.filter(({ topics }) => topics.kind === 'sensor');
    const sensorIds = [...new Set(ofSensors.flatMap(({ topics }) => topics.thingIds))];
    return readSensorViewers(runOn(this.database.pool), sensorIds, [...new Set(ofSensors.map(({ userId }) => userId))]);
  }

  private async renew(): Promise<void> {
    this.renewedAt = performance.now();
    for (const [{ topics }] of this.watched) await this.topics.watch(topics);
  }
}
