import type { ServerResponse } from 'node:http';
import { readSeenTriggers, type SeenTriggers } from '../../access/alert-access';
import { requireReached } from '../../access/credential.policy';
import type { SensorAccess } from '../../access/sensor-access';
import { exceedsFairShare } from '../../fairness/fair-queue';
import type { Caller, Identity } from '../../platform/caller';
import { TooMany, Unavailable } from '../../platform/errors';
import type { Database } from '../../storage';
import { runOn } from '../../storage/transaction';
import type { StreamFeed } from '../streams/stream-feed';
import { parseCursor, type StreamPosition } from '../streams/stream-position';
import { type ReadTopics, StreamReader } from '../streams/stream-reader';
import type { StreamTopics } from '../streams/topics';
import { StreamGuard } from './stream-guard';

/** Limits of this process. At the limit of all users, users above their fair share are refused. */
const MOST_OF_USER = 100;
const MOST_OF_ALL = 5_000;

const NOTHING: SeenTriggers = new Map();

export interface OpenStream {
  /** First text of the stream. */
  head: string;
  /** Streams until the end. `recheck` returns the current identity of the credential, or null if it has ended. */
  begin(response: ServerResponse, recheck: () => Promise<Identity | null>): void;
}

/** Opens streams. */
export class StreamsService {
  private readonly guard: StreamGuard;

  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly topics: StreamTopics,
    private readonly feed: StreamFeed,
  ) {
    this.guard = new StreamGuard(database, topics, feed);
  }

  async openSensorData(caller: Caller, sensorId: number, cursor: string): Promise<OpenStream> {
    await this.access.find(caller.userId, sensorId);
    return this.openData(caller, [sensorId], cursor);
  }

  /** Streams points after the cursor or from now on. Throws NotFound if the user may not see a sensor. */
  async openData(caller: Caller, sensorIds: readonly number[], cursor: string): Promise<OpenStream> {
    requireReached(caller.credential, sensorIds);
    await this.access.requireReadable(caller.userId, sensorIds);
    return this.open(caller, { topics: { kind: 'sensor', thingIds: sensorIds }, seen: NOTHING }, cursor);
  }

  /** Streams firings of the user, and of others as far as the user sees them. */
  async openFirings(caller: Caller, cursor: string): Promise<OpenStream> {
    const { userId } = caller;
    const seen = (await readSeenTriggers(runOn(this.database.pool), [userId])).get(userId) ?? NOTHING;
    const thingIds = [...new Set([userId, ...seen.values()])];
    return this.open(caller, { topics: { kind: 'firings', thingIds }, seen }, cursor);
  }

  /** Ends all streams, and opens no more. */
  stop(): void {
    this.guard.stop();
    this.feed.stop('shutdown');
  }

  private async open(caller: Caller, read: ReadTopics, cursor: string): Promise<OpenStream> {
    const { topics } = read;
    this.requireRoom(caller.userId);
    await this.topics.watch(topics);
    const { epoch, position, floorBatch } = await this.feed.now();
    const given = parseCursor(cursor);
    const isOurs = given !== null && given.epoch === epoch && given.position.round <= position.round;
    const resumes = isOurs && (await this.topics.canResume(topics, given.position, floorBatch));
    const from: StreamPosition = resumes ? given.position : position;
    const id = `id: ${this.feed.cursorAt(from)}`;
    const reset = cursor !== '' && !resumes ? `event: reset\n${id}\ndata: {}\n\n` : '';
    return {
      head: `${reset}event: open\n${id}\ndata: {}\n\n`,
      begin: (response, recheck) => {
        this.requireRoom(caller.userId);
        const reader = new StreamReader(caller.userId, read, from, response, this.feed.budget);
        this.guard.watch(reader, recheck);
        this.feed.add(reader);
      },
    };
  }

  private requireRoom(userId: number): void {
    if (this.feed.isClosed) throw new Unavailable('this process is being stopped', 1);
    const users = new Set([userId]);
    let own = 0;
    for (const reader of this.feed.all) {
      users.add(reader.userId);
      if (reader.userId === userId) own += 1;
    }
    if (own >= MOST_OF_USER) throw new TooMany(`you have ${MOST_OF_USER} streams open, which is the most`, 10);
    const open = { ofAll: this.feed.all.size, ofTenant: own, tenants: users.size };
    if (exceedsFairShare(open, 1, MOST_OF_ALL)) throw new Unavailable('too many streams are open at the moment', 10);
  }
}
