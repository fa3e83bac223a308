import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { ALL_USERS, type EventShare, shareKey } from '../../../jobs/event.job';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import { MOST_DEATHS } from '../../fairness/quarantine/work-kind';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import type { JobQueue } from '../../queue/job-queue';
import { isDuplicateKey, isPermanent, Overtaken } from '../../storage/mysql-errors';
import { inPoolTransaction } from '../../storage/transaction';
import type { DeliveryRunner } from '../delivery/delivery-runner';
import type { PacedTexts } from '../delivery/paced-texts';
import { insertEventDeliveries } from './event-deliveries';
import { DISPATCH_LIMITS, type DispatchLimits, type EventPortion, takePortions } from './event-matches';
import {
  EventRotation,
  eventsToRetry,
  type LockedEvent,
  lockEvent,
  lockEvents,
  oldestEvents,
  readEvents,
  setAside,
  setAsideForADay,
} from './waiting-events';

/** Further events get a new nudge, so that a worker can stop in between. */
const BATCHES_PER_RUN = 20;
const OVERTAKEN = 'some of these events were dispatched by another worker';

interface Observers {
  jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>;
  deliveries: Pick<DeliveryRunner, 'start'>;
  metrics: Metrics;
  logger: Logger;
  newTexts: () => PacedTexts;
}

type LockEvents = (connection: PoolConnection) => Promise<readonly LockedEvent[]>;

interface Batch {
  /** Events of which at least a portion was dispatched. */
  touched: number;
  completed: number;
  lastUserId: number | undefined;
  nudges: DeliveryNudge[];
}

type DispatchEnd = Pick<Batch, 'touched' | 'completed' | 'lastUserId'>;

/** Turns waiting events into pending deliveries, higher priority first. */
export class EventDispatcher {
  private readonly rotations = new Map<string, EventRotation>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly observers: Observers,
    private readonly limits: DispatchLimits = DISPATCH_LIMITS,
    /** Keeps events apart that end their process; absent in the lone process. */
    private readonly careful?: CarefulWork,
  ) {}

  /**
   * Dispatches in order for each user. A transaction stores a portion with its deliveries. A failing event delays no
   * other. Dispatchers may work concurrently, even for the same users. Returns the number of completed events.
   */
  async dispatchWaiting(share: EventShare = ALL_USERS): Promise<number> {
    const rotation = this.rotationOf(share);
    const due = await eventsToRetry(this.pool, share, this.clock.now());
    let count = await this.dispatchEach(due.filter((id) => !this.careful?.quarantine.find('event', id)));
    /** Users whose events other workers dispatch now. */
    const skipped = new Set<number>();
    for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
      const users = await rotation.nextUsers();
      if (users.every((userId) => skipped.has(userId))) return count;
      const { touched, completed, lastUserId } = await this.dispatchCarefully(users);
      count += completed;
      rotation.endBatch(lastUserId ?? users.at(-1) ?? 0);
      if (touched > 0) skipped.clear();
      else for (const userId of users) skipped.add(userId);
    }
    await this.observers.jobQueue.enqueueEventDispatch();
    return count;
  }

  /** The lone process calls it. */
  async dispatchOne(eventId: number): Promise<void> {
    await this.dispatchEach([eventId]);
  }

  /** Uses the lone process for users whose events have ended several processes. */
  private async dispatchCarefully(users: readonly number[]): Promise<DispatchEnd> {
    const { careful } = this;
    if (!careful || users.length === 0) return this.dispatchOf(users);
    const deaths = await careful.begun.begin('event', users);
    try {
      return await (deaths < MOST_DEATHS ? this.dispatchOf(users) : this.dispatchAlone(users, careful));
    } finally {
      careful.begun.end('event', users);
    }
  }

  /** Goes one by one. An event that ends the lone process is set aside for a day. */
  private async dispatchAlone(users: readonly number[], careful: CarefulWork): Promise<DispatchEnd> {
    const ids = await oldestEvents(this.pool, users);
    for (const id of ids) {
      const reason = await careful.runAlone({ kind: 'event', id });
      if (reason !== undefined) await setAsideForADay(this.pool, id, this.clock.now());
    }
    return { touched: ids.length, completed: ids.length, lastUserId: users.at(-1) };
  }

  private rotationOf(share: EventShare): EventRotation {
    const key = shareKey(share);
    const rotation = this.rotations.get(key) ?? new EventRotation(this.pool, share);
    this.rotations.set(key, rotation);
    return rotation;
  }

  private async dispatchOf(users: readonly number[]): Promise<DispatchEnd> {
    let ids: number[] = [];
    let batch: Batch;
    const lock: LockEvents = async (connection) => {
      const locked = await lockEvents(connection, users);
      ids = locked.map(({ id }) => id);
      return locked;
    };
    try {
      batch = await this.dispatch(lock);
    } catch (error) {
      if (!isAtFault(error) || ids.length === 0) throw error;
      this.observers.logger.error(
        { events: ids.length, err: error },
        'a batch of events failed; they are dispatched one by one',
      );
      return { touched: ids.length, completed: await this.dispatchEach(ids), lastUserId: users.at(-1) };
    }
    return this.follow(batch);
  }

  /** One transaction each. Sets failing events aside. */
  private async dispatchEach(ids: readonly number[]): Promise<number> {
    const { logger, metrics } = this.observers;
    let count = 0;
    for (const eventId of ids) {
      let batch: Batch;
      try {
        batch = await this.dispatch((connection) => lockEvent(connection, eventId, this.clock.now()));
      } catch (error) {
        if (!isAtFault(error)) throw error;
        metrics.events.inc({ outcome: 'failed' });
        logger.error({ eventId, err: error }, 'an event cannot be dispatched; it is set aside and tried again later');
        await setAside(this.pool, eventId, this.clock.now());
        continue;
      }
      count += (await this.follow(batch)).completed;
    }
    return count;
  }

  private dispatch(lock: LockEvents): Promise<Batch> {
    return inPoolTransaction(this.pool, async (connection) => {
      const events = await readEvents(connection, await lock(connection));
      const portions = await takePortions(connection, events, this.limits);
      const texts = this.observers.newTexts();
      const inserting = insertEventDeliveries(connection, portions, { nowMs: this.clock.now(), texts });
      const { nudges, countedFor } = await inserting.catch((error: unknown) => {
        throw isDuplicateKey(error) ? new Overtaken(OVERTAKEN) : error;
      });
      const completed = await writeProgress(connection, portions, countedFor);
      return { touched: portions.length, completed, lastUserId: portions.at(-1)?.event.userId, nudges };
    });
  }

  private async follow(batch: Batch): Promise<Batch> {
    const { deliveries, metrics } = this.observers;
    if (batch.completed > 0) metrics.events.inc({ outcome: 'dispatched' }, batch.completed);
    if (batch.nudges.length > 0) await deliveries.start(batch.nudges);
    return batch;
  }
}

/** True if the events would fail again. One overtaken transaction would not; several in a row are a fault. */
function isAtFault(error: unknown): boolean {
  return isPermanent(error) || error instanceof Overtaken;
}

/**
 * Deletes completed events, and returns their number. A cluster may lock on one server only, so rows are written only
 * if unchanged: of two workers one is refused.
 */
async function writeProgress(
  connection: PoolConnection,
  portions: readonly EventPortion[],
  countedFor: ReadonlyMap<number, number>,
): Promise<number> {
  const done: number[] = [];
  let written = 0;
  for (const { event, doneUserId } of portions) {
    if (doneUserId === null) {
      done.push(event.id);
      continue;
    }
    const [{ affectedRows }] = await connection.query<ResultSetHeader>(
      'UPDATE events SET done_user_id = ? WHERE id = ? AND COALESCE(done_user_id, 0) = ?',
      [Math.max(doneUserId, countedFor.get(event.id) ?? 0), event.id, event.doneUserId ?? 0],
    );
    written += affectedRows;
  }
  if (done.length > 0) {
    // With a limit, MySQL does not scan the table, which would wait for the locks of others.
    const sql = 'DELETE FROM events WHERE id IN (?) LIMIT ?';
    const [{ affectedRows }] = await connection.query<ResultSetHeader>(sql, [done, done.length]);
    written += affectedRows;
  }
  if (written !== portions.length) throw new Overtaken(OVERTAKEN);
  return done.length;
}
