import type { Pool } from 'mysql2/promise';
import { type NewEvent, raiseEvents } from '../events/event-log';
import type { Queued } from '../fairness/fair-queue';
import type { PartitionLayout } from '../inbox/partition-layout';
import type { Clock } from '../platform/clock';
import type { Metrics } from '../platform/metrics';
import type { JobQueue } from '../queue/job-queue';
import { inOrderOfDates, type UploadedPoint } from '../rules/data-point';
import { isDuplicateKey, isLockTimeout, isOutOfRange, isPermanent } from '../storage/mysql-errors';
import { pipelined, type TransactionConnection } from '../storage/pipeline';
import { inPoolTransaction, runOn } from '../storage/transaction';
import type { StreamSignal } from '../streams/stream-signal';
import { dateByServer, insertPoints, isOneStatement, toRows } from './data-point-rows';
import { GroupCommitScheduler } from './group-commit-scheduler';
import { MOST_REDATED, SLOW_USERS } from './knobs';
import { type CachedCredential, requirePreconditions } from './preconditions';
import { recheckSubscribers, writeForSubscribers } from './subscribers';
import { CHANGES, readChanges, TargetCache, toChanges } from './upload-targets';

/** The points of one request for one sensor. */
export interface PointBatch {
  sensorId: number;
  points: UploadedPoint[];
  /** When the request arrived, on the server's clock. */
  receivedMs: number;
}

/**
 * `not-owned`: one of the sensors does not exist or belongs to another user. `too-many`: the user has too many points
 * waiting. `full`: too many points wait in total. `outdated`: the credential came from a cache, and a cached entry is
 * stale. In all of these cases nothing of the request was stored.
 */
export type UploadOutcome = { storedMs: number } | 'not-owned' | 'too-many' | 'full' | 'outdated';

/** What a request does in the transaction that stores it, before its points are stored. */
export interface Prepared {
  batches: PointBatch[];
  /** Users who caused events in it. */
  eventUsers: readonly number[];
}

/** Runs again if the transaction is retried. */
export type Prepare = (connection: TransactionConnection) => Promise<Prepared>;

/** A request that waits to be stored. `size`: its points. `weight`: its approximate size in memory. */
interface Waiting extends Queued<number> {
  batches: PointBatch[];
  /** Determines the batches. Such a request has a commit of its own. */
  prepare?: Prepare | undefined;
  /** Set only if the credential came from a cache. */
  credential?: CachedCredential;
  resolve(outcome: UploadOutcome): void;
  reject(error: unknown): void;
}

interface CommitOptions {
  /** True if it may wait for a locked sensor. */
  mayWait?: boolean;
  /** True if it reads its sensors from MySQL first, whatever is cached. */
  looksFirst?: boolean;
  /** How often server-assigned dates were taken already. */
  redated?: number;
}

/** Memory of a point, without its value. */
const BYTES_PER_POINT = 100;

const [STORED, REFUSED, FAILED] = [{ outcome: 'stored' }, { outcome: 'refused' }, { outcome: 'failed' }] as const;

/**
 * Group commit: requests that arrive during a commit are stored together by the next one, shared out fairly by user.
 * When `write` resolves with the time of storage, its points are durable, and their evaluation waits in the inbox,
 * written by the same transaction.
 */
export class DataPointWriter {
  private readonly memory: TargetCache;
  private readonly commits: GroupCommitScheduler<Waiting>;
  /** Users whose requests wait for a locked sensor. */
  private readonly slow = new Set<number>();

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
    private readonly layout: PartitionLayout,
    private readonly metrics: Metrics,
    private readonly streamSignal: Pick<StreamSignal, 'notify'>,
  ) {
    this.memory = new TargetCache(clock);
    this.commits = new GroupCommitScheduler(
      (group) => this.commit(group),
      (userId) => this.slow.has(userId),
    );
  }

  /**
   * Stores all batches or none. The transaction that stores them checks that the user owns the sensors and that a
   * cached credential is still valid. If a single statement stores them, the statement before it checks this.
   */
  write(userId: number, batches: PointBatch[], credential?: CachedCredential): Promise<UploadOutcome> {
    return this.enqueue({ tenant: userId, batches, ...measure(batches), credential });
  }

  /**
   * The same for points whose sensors are known, or made, only in the transaction that stores them. `points` are all
   * that it may store. Such a request waits for locked rows.
   */
  writePrepared(userId: number, points: UploadedPoint[], prepare: Prepare): Promise<UploadOutcome> {
    return this.enqueue({ tenant: userId, batches: [], prepare, ...measure([{ points }]) });
  }

  private enqueue(request: Omit<Waiting, 'resolve' | 'reject'>): Promise<UploadOutcome> {
    return new Promise((resolve, reject) => {
      const outcome = this.commits.add({ ...request, resolve, reject });
      if (outcome !== 'taken') {
        this.metrics.uploads.inc(REFUSED);
        return resolve(outcome);
      }
      // Deferred, so that all other requests of this tick join the same commit.
      setImmediate(() => this.commits.next());
    });
  }

  get waitingPoints(): number {
    return this.commits.points;
  }

  /** Stores a group and answers its requests. Does not wait long for a locked sensor, unless `mayWait`. */
  private async commit(group: Waiting[], options: CommitOptions = {}): Promise<void> {
    if (group.length > 1 && group.some(({ prepare }) => prepare)) return this.commitApart(group);
    const { mayWait = false, looksFirst = false, redated = 0 } = options;
    try {
      const { accepted, stored, before, changes, subscribers, eventUsers } = await inPoolTransaction(
        this.pool,
        (connection) => this.store(connection, group, { looksFirst, redated }),
        (error) => mayWait || !isLockTimeout(error),
      );
      const after = changes ?? (await readChanges(this.pool));
      const late = await recheckSubscribers(this.pool, { stored, before, after, partitionCount: this.layout.count });
      const { storedMs } = stored;
      const points = this.count(group, accepted);
      const partitionsToWake = new Set([...subscribers.partitionsToWake, ...late.partitionsToWake]);
      if (partitionsToWake.size > 0) void this.jobQueue.nudgeEvaluation(partitionsToWake, points);
      if (eventUsers.length > 0) void this.jobQueue.enqueueEventDispatch(eventUsers);
      if (subscribers.isStreamed || late.isStreamed) this.streamSignal.notify();
      await answerEach(group, (request) => (accepted.has(request) ? { storedMs } : 'not-owned'));
    } catch (error) {
      await this.recover(group, options, error);
    }
  }

  /** Requests that prepare something have a commit of their own, after that of all others. */
  private async commitApart(group: readonly Waiting[]): Promise<void> {
    const others = group.filter(({ prepare }) => !prepare);
    if (others.length > 0) await this.commit(others);
    for (const request of group) if (request.prepare) await this.commit([request]);
  }

  /** Counts a committed group in the metrics; returns the number of its accepted points. */
  private count(group: readonly Waiting[], accepted: ReadonlySet<Waiting>): number {
    this.metrics.uploads.inc(STORED, accepted.size);
    if (accepted.size < group.length) this.metrics.uploads.inc(REFUSED, group.length - accepted.size);
    let points = 0;
    for (const { size } of accepted) points += size;
    if (points > 0) this.metrics.pointsAccepted.inc(points);
    return points;
  }

  /** Commits a group that failed in another way, or answers its requests with the error. */
  private async recover(group: Waiting[], options: CommitOptions, error: unknown): Promise<void> {
    const { mayWait = false, looksFirst = false, redated = 0 } = options;
    if (isOutOfRange(error) && !looksFirst) return this.commitAsOfNow(group, options);
    if (isDuplicateKey(error) && redated < MOST_REDATED) {
      return this.commit(group, { ...options, redated: redated + 1 });
    }
    // Another client keeps taking the next dates. The points may be sent again.
    if (isDuplicateKey(error) && group.length === 1) return group[0]?.resolve('full');
    if (isLockTimeout(error) && !mayWait) return this.separate(group, error);
    if (group.length === 1 || !isPermanent(error)) return this.fail(group, error);
    // No upload fails because of what another user sent at the same moment.
    for (const request of group) await this.commit([request]);
  }

  /**
   * A cached entry is stale: requests with cached credentials are rejected as outdated, and the others read MySQL
   * first.
   */
  private async commitAsOfNow(group: readonly Waiting[], options: CommitOptions): Promise<void> {
    this.memory.doubt();
    const others: Waiting[] = [];
    for (const request of group) {
      if (request.credential) request.resolve('outdated');
      else others.push(request);
    }
    if (others.length > 0) await this.commit(others, { ...options, looksFirst: true });
  }

  /**
   * A sensor is locked: each user's requests continue in a separate commit, and only those of its owner wait for it.
   */
  private async separate(group: readonly Waiting[], error: unknown): Promise<void> {
    const users = new Set(group.map(({ tenant }) => tenant));
    if (users.size === 1) return this.commitSlowly(group, error);
    await Promise.all([...users].map((id) => this.commit(group.filter(({ tenant }) => tenant === id))));
  }

  /** Waits for the locked sensors of one user without blocking other users. */
  private commitSlowly(group: readonly Waiting[], error: unknown): void {
    const userId = group[0]?.tenant ?? 0;
    if (this.slow.size >= SLOW_USERS || this.slow.has(userId)) {
      this.fail(group, error);
      return;
    }
    this.slow.add(userId);
    const one = async () => {
      for (const request of group) await this.commit([request], { mayWait: true });
    };
    void one().finally(() => {
      this.slow.delete(userId);
      this.commits.next();
    });
  }

  private fail(group: readonly Waiting[], error: unknown): void {
    this.metrics.uploads.inc(FAILED, group.length);
    for (const request of group) request.reject(error);
  }

  private async store(
    connection: TransactionConnection,
    group: Waiting[],
    { looksFirst, redated }: Required<Pick<CommitOptions, 'looksFirst' | 'redated'>>,
  ) {
    const prepared = await prepareFirst(connection, group);
    const ids = sensorsOf(group);
    const known = looksFirst || prepared ? undefined : this.memory.lookUp(ids);
    const credentials = group.flatMap(({ credential }) => credential ?? []);
    if (known && isOneStatement(group, known.targets) && group.every(hasDates)) connection.leaveTransactionOut();
    // Before all writes, and in the same packet.
    if (known || credentials.length > 0)
      pipelined(requirePreconditions(connection, { changes: known?.changes, credentials }));
    const {
      targets,
      isEventAwaited,
      changes: before,
    } = known ?? (await this.memory.read(connection, ids, { keeps: !prepared }));
    const accepted = group.filter(({ tenant, batches }) =>
      batches.every((batch) => targets.get(batch.sensorId)?.ownerId === tenant),
    );
    const uploaded = accepted.flatMap((request) => request.batches);
    const dating = dateByServer(connection, uploaded, redated > 0);
    const dated = dating instanceof Promise ? await dating : dating;
    // In date order, so that a pass that takes only some of them takes the oldest.
    const batches = dated.map(({ sensorId, points, receivedMs }) => ({
      sensorId,
      points: inOrderOfDates(points),
      receivedMs,
    }));
    const stored = { batches, targets, storedMs: this.clock.now() };
    const writing = Promise.all([
      insertPoints(connection, toRows(batches, targets)),
      writeForSubscribers(connection, stored, this.layout.count),
    ]);
    const looking = isEventAwaited ? undefined : connection.commitAndRead(CHANGES); // in the same packet as the writes
    const [, subscribers] = await writing;
    const uploads = isEventAwaited ? accepted.flatMap(toEvents) : [];
    const eventUsers = await raiseEvents(runOn(connection), uploads, stored.storedMs);
    const changes = looking && toChanges(await looking);
    const allUsers = [...eventUsers, ...(prepared?.eventUsers ?? [])];
    return { accepted: new Set(accepted), stored, before, changes, subscribers, eventUsers: allUsers };
  }
}

/**
 * Answers the requests of a commit one after another: everything that follows from one answer is done before the next
 * request is resolved. So the first client reads its answer and sends again while the others are answered. Otherwise
 * each step would run for all of them before the next step. Single points of 64 connections are 5 % faster.
 */
async function answerEach(group: readonly Waiting[], outcomeOf: (request: Waiting) => UploadOutcome): Promise<void> {
  for (const request of group) {
    request.resolve(outcomeOf(request));
    await new Promise<void>((resolve) => process.nextTick(resolve)); // after all pending promise callbacks
  }
}

/** Prepares the only request of a group, if it has to be. */
async function prepareFirst(
  connection: TransactionConnection,
  [request]: readonly Waiting[],
): Promise<Prepared | undefined> {
  if (!request?.prepare) return undefined;
  const prepared = await request.prepare(connection);
  request.batches = prepared.batches;
  return prepared;
}

function sensorsOf(group: readonly Waiting[]): Set<number> {
  const ids = new Set<number>();
  for (const { batches } of group) for (const { sensorId } of batches) ids.add(sensorId);
  return ids;
}

/** The number of points, and about how much memory they take. */
function measure(batches: readonly Pick<PointBatch, 'points'>[]): { size: number; weight: number } {
  let [size, weight] = [0, 0];
  for (const { points } of batches) {
    size += points.length;
    for (const { value } of points) weight += BYTES_PER_POINT + value.length;
  }
  return { size, weight };
}

/** True if the server does not have to date any of its points. */
function hasDates({ batches }: Waiting): boolean {
  return batches.every(({ points }) => points.every(({ dateMs }) => dateMs !== undefined));
}

/** An upload is one event on each of its sensors, regardless of its number of points. */
function toEvents({ tenant: userId, batches }: Waiting): NewEvent[] {
  const ids = new Set(batches.filter(({ points }) => points.length > 0).map(({ sensorId }) => sensorId));
  return [...ids].map((subjectId) => ({ name: 'add_sensor_data' as const, subjectId, userId }));
}
