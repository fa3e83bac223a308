import type { Pool } from 'mysql2/promise';
import { raiseEvents } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { IdentityOutdated, PlatformError, TooMany, Unavailable } from '../../platform/errors';
import type { Metrics } from '../../platform/metrics';
import type { JobQueue } from '../../queue/job-queue';
import { isDuplicateKey, isLockTimeout, isOutOfRange, isPermanent } from '../../storage/mysql-errors';
import { pipelined, type TransactionConnection } from '../../storage/pipeline';
import { doLastWork, hasLastWork, inPoolTransaction, runOn } from '../../storage/transaction';
import type { UploadedPoint } from '../data-points/data-point';
import type { PartitionLayout } from '../inbox/partition-layout';
import { insertPoints } from '../point-store/point-rows';
import type { StreamSignal } from '../streams/stream-signal';
import { isOneStatement, toRows } from './data-point-rows';
import { datePoints } from './dated-points';
import { GroupCommitScheduler } from './group-commit-scheduler';
import { MOST_RETRIES, RETRY_SECONDS, SLOW_USERS } from './knobs';
import { LatePoints } from './late-points';
import { type CachedCredential, requirePreconditions } from './preconditions';
import { recheckSubscribers, writeForSubscribers } from './subscribers';
import { mayBePacked } from './united-points';
import { readUploadEpochs, TargetCache, toUploadEpochs, UPLOAD_EPOCHS } from './upload-targets';
import {
  answerEach,
  areOfOneKind,
  measure,
  type PointBatch,
  type Prepare,
  prepareFirst,
  sensorsOf,
  toEvents,
  type UploadOutcome,
  type Waiting,
} from './waiting-requests';

interface CommitOptions {
  mayWait?: boolean;
  /** True if the commit reads its sensors from MySQL, whatever is cached. */
  looksFirst?: boolean;
  retries?: number;
}

const [STORED, REFUSED, FAILED] = [{ outcome: 'stored' }, { outcome: 'refused' }, { outcome: 'failed' }] as const;

/**
 * Group commit: the next commit stores what arrives during one, in fair shares by user. When `write` resolves, points
 * are durable, and their evaluation waits in the inbox.
 */
export class DataPointWriter {
  private readonly targets: TargetCache;
  private readonly late = new LatePoints();
  private readonly commits: GroupCommitScheduler<Waiting>;
  private readonly slow = new Set<number>();

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
    private readonly layout: PartitionLayout,
    private readonly metrics: Metrics,
    private readonly streamSignal: Pick<StreamSignal, 'notify'>,
  ) {
    this.targets = new TargetCache(clock);
    this.commits = new GroupCommitScheduler(
      (group) => this.commit(group),
      (userId) => this.slow.has(userId),
    );
  }

  /**
   * Stores all batches or none. Throws TooMany if too many points of the user wait, Unavailable if too many wait in
   * total, IdentityOutdated if a cached entry is stale.
   */
  write(userId: number, batches: PointBatch[], credential?: CachedCredential): Promise<UploadOutcome> {
    return this.enqueue({ tenant: userId, batches, ...measure(batches), credential });
  }

  /**
   * The transaction finds or makes the sensors. `points` are all that it may store. The request waits for locked rows.
   */
  writePrepared(userId: number, points: UploadedPoint[], prepare: Prepare): Promise<UploadOutcome> {
    return this.enqueue({ tenant: userId, batches: [], prepare, ...measure([{ points }]) });
  }

  private enqueue(request: Omit<Waiting, 'resolve' | 'reject'>): Promise<UploadOutcome> {
    return new Promise((resolve, reject) => {
      const outcome = this.commits.add({ ...request, resolve, reject });
      if (outcome !== 'taken') {
        this.metrics.uploads.inc(REFUSED);
        return reject(outcome === 'full' ? tooMuchWaits() : tooManyWait());
      }
      // Deferred, so that all requests of this tick join the commit.
      setImmediate(() => this.commits.next());
    });
  }

  get waitingPoints(): number {
    return this.commits.points;
  }

  private async commit(group: Waiting[], options: CommitOptions = {}): Promise<void> {
    if (group.length > 1 && group.some(({ prepare }) => prepare)) return this.commitApart(group);
    const { mayWait = false, looksFirst = false, retries = 0 } = options;
    try {
      const {
        accepted,
        evaluated,
        stored,
        before,
        after: read,
        subscribers,
        eventUsers,
      } = await inPoolTransaction(
        this.pool,
        (connection) => this.store(connection, group, { looksFirst, retries }),
        (error) => mayWait || !isLockTimeout(error),
      );
      const after = read ?? (await readUploadEpochs(this.pool));
      const late = await recheckSubscribers(this.pool, { stored, before, after, partitionCount: this.layout.count });
      const { storedMs } = stored;
      const points = this.count(group, accepted);
      const partitionsToWake = new Set([...subscribers.partitionsToWake, ...late.partitionsToWake]);
      if (partitionsToWake.size > 0) void this.jobQueue.nudgeEvaluation(partitionsToWake, points);
      if (eventUsers.length > 0) void this.jobQueue.enqueueEventDispatch(eventUsers);
      if (subscribers.isStreamed || late.isStreamed) this.streamSignal.notify();
      await answerEach(group, (request) => {
        if (!accepted.has(request)) return 'not-owned';
        this.late.keep(request.batches, stored.targets);
        return { storedMs, notEvaluated: this.late.count(request, evaluated) };
      });
    } catch (error) {
      await this.recover(group, options, error);
    }
  }

  /** A request that prepares something has its own commit, after the others. */
  private async commitApart(group: readonly Waiting[]): Promise<void> {
    const others = group.filter(({ prepare }) => !prepare);
    if (others.length > 0) await this.commit(others);
    for (const request of group) if (request.prepare) await this.commit([request]);
  }

  private count(group: readonly Waiting[], accepted: ReadonlySet<Waiting>): number {
    this.metrics.uploads.inc(STORED, accepted.size);
    if (accepted.size < group.length) this.metrics.uploads.inc(REFUSED, group.length - accepted.size);
    let points = 0;
    for (const { tenant, size } of accepted) {
      points += size;
      this.metrics.recent.addPoints(tenant, size);
    }
    if (points > 0) this.metrics.pointsAccepted.inc(points);
    return points;
  }

  private async recover(group: Waiting[], options: CommitOptions, error: unknown): Promise<void> {
    const { mayWait = false, looksFirst = false, retries = 0 } = options;
    if (isOutOfRange(error) && !looksFirst) return this.commitAsOfNow(group, options);
    if (isDuplicateKey(error) && retries < MOST_RETRIES) {
      return this.commit(group, { ...options, retries: retries + 1 });
    }
    // Another client keeps taking the next dates. The points may be sent again.
    if (isDuplicateKey(error) && group.length === 1) return group[0]?.reject(tooMuchWaits());
    if (isLockTimeout(error) && !mayWait) return this.separate(group, error);
    const isOfOne = isPermanent(error) || error instanceof PlatformError;
    if (group.length === 1 || !isOfOne) return this.fail(group, error);
    // No upload fails because of another user's points.
    for (const request of group) await this.commit([request]);
  }

  /** Rejects requests with cached credentials as outdated. The others read MySQL first. */
  private async commitAsOfNow(group: readonly Waiting[], options: CommitOptions): Promise<void> {
    this.targets.invalidate();
    const others: Waiting[] = [];
    for (const request of group) {
      if (request.credential) request.reject(new IdentityOutdated());
      else others.push(request);
    }
    if (others.length > 0) await this.commit(others, { ...options, looksFirst: true });
  }

  /** A sensor is locked: users get separate commits, so that only its owner waits. */
  private async separate(group: readonly Waiting[], error: unknown): Promise<void> {
    const users = new Set(group.map(({ tenant }) => tenant));
    if (users.size === 1) return this.commitSlowly(group, error);
    await Promise.all([...users].map((id) => this.commit(group.filter(({ tenant }) => tenant === id))));
  }

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
    { looksFirst, retries }: Required<Pick<CommitOptions, 'looksFirst' | 'retries'>>,
  ) {
    const prepared = await prepareFirst(connection, group);
    const ids = sensorsOf(group);
    const known = looksFirst || prepared ? undefined : this.targets.lookUp(ids);
    const credentials = group.flatMap(({ credential }) => credential ?? []);
    const isUniting = retries > 0 || group.some(({ batches }) => batches.some(mayBePacked));
    if (known && !isUniting && isOneStatement(group, known.targets) && areOfOneKind(group))
      connection.leaveTransactionOut();
    if (known || credentials.length > 0)
      pipelined(requirePreconditions(connection, { epochs: known?.epochs, credentials })); // before all writes
    const {
      targets,
      isEventAwaited,
      epochs: before,
    } = known ?? (await this.targets.read(connection, ids, { keeps: !prepared }));
    const accepted = group.filter(({ tenant, batches }) =>
      batches.every((batch) => targets.get(batch.sensorId)?.ownerId === tenant),
    );
    const uploaded = accepted.flatMap((request) => request.batches);
    const reading = pipelined(this.late.read(connection, uploaded, targets));
    const dating = datePoints(connection, uploaded, targets, { isAgain: retries > 0, isUniting });
    const batches = dating instanceof Promise ? await dating : dating;
    const stored = { batches, targets, storedMs: this.clock.now() };
    const writing = Promise.all([
      insertPoints(connection, toRows(batches, targets)),
      writeForSubscribers(connection, stored, this.layout.count),
    ]);
    if (hasLastWork(connection)) await Promise.all([writing, doLastWork(connection)]);
    const looking = isEventAwaited ? undefined : connection.commitAndRead(UPLOAD_EPOCHS); // in the same packet as the writes
    const [, subscribers] = await writing;
    const uploads = isEventAwaited ? accepted.flatMap(toEvents) : [];
    const eventUsers = await raiseEvents(runOn(connection), uploads, stored.storedMs);
    const after = looking && toUploadEpochs(await looking);
    const allUsers = [...eventUsers, ...(prepared?.eventUsers ?? [])];
    const evaluated = await reading;
    return { accepted: new Set(accepted), evaluated, stored, before, after, subscribers, eventUsers: allUsers };
  }
}

function tooManyWait(): PlatformError {
  return new TooMany('too many of your data points wait to be stored', RETRY_SECONDS);
}

function tooMuchWaits(): PlatformError {
  return new Unavailable('too many uploads wait to be stored: try again later', RETRY_SECONDS);
}
