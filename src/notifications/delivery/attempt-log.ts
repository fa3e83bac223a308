import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { raiseEvents } from '../../events/event-log';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import type { Metrics } from '../../platform/metrics';
import type { JobQueue } from '../../queue/job-queue';
import { isAway } from '../../storage/mysql-errors';
import { valuesById } from '../../storage/slices';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import { kindOf } from '../kinds';
import type { Attempt, AttemptContext, AttemptResult, DeliveryRow, Lease } from './attempt';
import { nudgeOf } from './delivery-rows';
import { type DeliveryState, nextAttempt } from './delivery-schedule';
import { followHealth, type HealthEffects, makePendingDue, NO_EFFECTS } from './destination-health';
import { endDigested } from './digests';
import { makeEndsOfAllDue } from './earlier-deliveries';
import { followFailedProbe, recordProofs } from './proofs';

const TOO_MANY = 429;

/** A locked row delays only the attempts of its group. */
const TOGETHER = { most: 100, atOnce: 2 };

/** Records attempts, and what follows from them. */
export class AttemptLog {
  private readonly made = new Batcher((group: readonly MadeAttempt[]) => recordAttempts(this.pool, group), TOGETHER);

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** Returns the delivery's new state. The context gets the nudges of the retry and of mails to the owner. */
  async record(context: AttemptContext): Promise<AttemptResult> {
    const { row, lease, attempt, whyNotSent } = context;
    if (!lease || !attempt) throw new Error('only an attempt that was made can be recorded');
    const nowMs = this.clock.now();
    const attempts = row.attempts + 1;
    const next = nextAttempt(attempt.outcome, attempts, nowMs, Math.random);
    const { mails, isOff, hasEvents } = await this.write({ lease, attempt, whyNotSent, next, nowMs });
    if (isOff) await makePendingDue(this.pool, row.notification_id, nowMs);
    context.nudges.push(...mails);
    if (hasEvents) await this.jobQueue.enqueueEventDispatch([row.owner_id]);
    observeStages(this.metrics, row, instantsOf(attempt, whyNotSent));
    this.metrics.attempts.inc({ type: row.type, outcome: attempt.outcome.kind });
    if (next.status !== 'pending') {
      this.countEnded(row, next, nowMs);
      return next.status;
    }
    const delayMs = Math.max(0, next.nextAttemptMs - nowMs);
    context.nudges.push({ ...nudgeOf(row), attempts, delayMs });
    return 'will-retry';
  }

  /** Empty if the latest attempt succeeded. Contains no addresses or values. */
  async latestError(deliveryId: number): Promise<string> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT error FROM delivery_attempts WHERE delivery_id = ? ORDER BY id DESC LIMIT 1',
      [deliveryId],
    );
    return rows[0]?.error ?? '';
  }

  /** If a group fails, each attempt is recorded alone. */
  private async write(made: MadeAttempt): Promise<HealthEffects> {
    try {
      return await this.made.add(made);
    } catch (error) {
      if (isAway(error)) throw error;
    }
    const [consequences] = await recordAttempts(this.pool, [made]);
    if (!consequences) throw new LeaseLost();
    return consequences;
  }

  private countEnded(row: DeliveryRow, { status }: DeliveryState, nowMs: number): void {
    this.metrics.endedDeliveries.inc({ type: row.type, status });
    if (status === 'delivered' && row.received_ms !== null && !isPlanned(row)) {
      this.metrics.pointToDelivery.observe((nowMs - row.received_ms) / 1000);
    }
  }
}

interface MadeAttempt {
  lease: Lease;
  attempt: Attempt;
  whyNotSent: string | null;
  next: DeliveryState;
  nowMs: number;
}

class LeaseLost extends Error {}

/**
 * Throws `LeaseLost` if one of several attempts has lost its lease. An attempt alone is then recorded without
 * consequences: it must not undo its successor's result.
 */
function recordAttempts(pool: Pool, group: readonly MadeAttempt[]): Promise<HealthEffects[]> {
  return inPoolTransaction(pool, async (connection) => {
    const written = await writeStates(connection, group);
    if (written < group.length && group.length > 1) throw new LeaseLost();
    await writeAttempts(connection, group);
    return written === 0 ? [NO_EFFECTS] : follow(connection, group);
  });
}

async function writeStates(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<number> {
  const ids = group.map(({ lease }) => lease.row.id);
  const instants = group.map(({ attempt, whyNotSent }) => instantsOf(attempt, whyNotSent));
  const states = valuesById(ids, {
    status: group.map(({ next }) => next.status),
    next_attempt_ms: group.map(({ next }) => (next.status === 'pending' ? next.nextAttemptMs : null)),
    finished_ms: group.map(({ next, nowMs }) => (next.status === 'pending' ? null : nowMs)),
    sent_ms: instants.map(({ sentMs }) => sentMs),
    answered_ms: instants.map(({ answeredMs }) => answeredMs),
  });
  const leased = valuesById(ids, { lease: group.map(({ lease }) => lease.token) });
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    `UPDATE deliveries SET attempts = attempts + 1, begun = 0, lease_until_ms = NULL, permit = NULL, throttled_ms = NULL, ${states.sql}, lease = NULL
     WHERE id IN (?) AND ${leased.sql}`,
    [...states.values, ids, ...leased.values],
  );
  return affectedRows;
}

async function writeAttempts(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<void> {
  const rows = group.map(({ lease, attempt: { outcome, startedMs, durationMs } }) => {
    const error = outcome.kind === 'delivered' ? null : outcome.reason.slice(0, 500);
    const note = outcome.note?.slice(0, 500) ?? null;
    const { sent = null, received = null } = outcome.exchange ?? {};
    return [lease.row.id, startedMs, outcome.statusCode ?? null, durationMs, error, note, sent, received];
  });
  const columns = 'delivery_id, date_ms, status_code, duration_ms, error, note, request_body, response_body';
  await connection.query(`INSERT INTO delivery_attempts (${columns}) VALUES ?`, [rows]);
}

async function follow(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<HealthEffects[]> {
  const nowMs = Math.max(...group.map((made) => made.nowMs));
  const ended = group.filter(({ next }) => next.status !== 'pending').map(({ lease }) => lease.row);
  await makeEndsOfAllDue(connection, ended, nowMs);
  const arrived = group.filter(({ attempt }) => attempt.outcome.kind === 'delivered').map(({ lease }) => lease.row);
  await recordProofs(connection, arrived, nowMs);
  const consequences: HealthEffects[] = [];
  for (const made of group) consequences.push(await followOne(connection, made));
  return consequences;
}

/** Nothing follows from nearly every attempt. */
async function followOne(
  connection: PoolConnection,
  { lease: { row }, attempt, whyNotSent, next, nowMs }: MadeAttempt,
): Promise<HealthEffects> {
  const { status } = next;
  if (row.kind === 'digest' && status !== 'pending') {
    await endDigested(connection, row.id, { status, nowMs }, attempt);
  }
  if (attempt.outcome.statusCode === TOO_MANY && next.status === 'pending') {
    await limitNotification(connection, row, next.nextAttemptMs);
  }
  // A delivery that was not sent says nothing about its destination.
  const health = whyNotSent === null ? await followHealth(connection, row, attempt.outcome, status, nowMs) : NO_EFFECTS;
  const probe =
    row.kind === 'probe' && status === 'failed' ? await followFailedProbe(connection, row, nowMs) : NO_EFFECTS;
  // The failure of a `delivery_failed` event raises no event: that would never end.
  const name = 'delivery_failed';
  const failed =
    status === 'failed' && row.event !== name && !kindOf(row).isOfAccount
      ? await raiseEvents(runOn(connection), [{ name, subjectId: row.id, userId: row.owner_id }], nowMs)
      : [];
  return {
    mails: [...health.mails, ...probe.mails],
    isOff: health.isOff,
    hasEvents: failed.length > 0 || health.hasEvents || probe.hasEvents,
  };
}

async function limitNotification(connection: PoolConnection, row: DeliveryRow, untilMs: number): Promise<void> {
  await connection.query(
    'UPDATE notifications SET limited_until_ms = ? WHERE id = ? AND (limited_until_ms IS NULL OR limited_until_ms < ?)',
    [untilMs, row.notification_id, untilMs],
  );
}

interface Instants {
  sentMs: number | null;
  answeredMs: number | null;
}

function instantsOf({ outcome, startedMs, durationMs }: Attempt, whyNotSent: string | null): Instants {
  const isAnswered = outcome.kind === 'delivered' || outcome.statusCode !== undefined;
  return {
    sentMs: whyNotSent === null ? startedMs : null,
    answeredMs: isAnswered ? startedMs + durationMs : null,
  };
}

/** The duration of such a delivery does not measure the platform. */
function isPlanned({ escalation, after_mute }: DeliveryRow): boolean {
  return Boolean(escalation || after_mute);
}

/**
 * Records the stages up to the first attempt once. Later attempts and planned deliveries record only their response.
 */
function observeStages(metrics: Metrics, row: DeliveryRow, { sentMs, answeredMs }: Instants): void {
  const instants: [stage: string, fromMs: number | null, toMs: number | null][] = [
    ['store', row.received_ms, row.stored_ms],
    ['evaluate', row.stored_ms, row.evaluated_ms],
    ['queue', row.evaluated_ms, row.created_ms],
    ['send', row.created_ms, sentMs],
    ['answer', sentMs, answeredMs],
  ];
  for (const [stage, fromMs, toMs] of instants) {
    if (fromMs === null || toMs === null || (stage !== 'answer' && (row.sent_ms !== null || isPlanned(row)))) continue;
    // The clocks of machines differ a little.
    metrics.deliveryStages.observe({ stage }, Math.max(0, toMs - fromMs) / 1000);
  }
}
