import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { readingIn } from '../../language/measured-value';
import type { Clock } from '../../platform/clock';
import type { Compute, Steps } from '../../platform/steps';
import { lockFreeRows } from '../../storage/free-rows';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import { chargeUse } from '../../storage/usage-counts';
import { kindOf } from '../kinds';
import { ALERT_COLUMNS, ALERT_KNOWN, ALERT_SOURCES, type AlertRow, toAlert } from './alerts';
import type { Attempt, DeliveryRow, Lease } from './attempt';
import { newWebhookId, nudgeOf } from './delivery-rows';
import { wordsOf } from './delivery-words';
import { type Digest, type DigestItem, digestReason, digestText, isDigested } from './digest';
import { withItemsApart } from './sensors-apart';
import { deleteThrottled } from './throttled-rows';

const MINUTE_MS = 60_000;
const IS_THROTTLED = `status = 'pending' AND next_attempt_ms IS NULL AND attempts = 0 AND firing_id IS NOT NULL
  AND lease_until_ms IS NULL AND digest_id IS NULL`;
const MOST_GATHERED = 1_000;
/** If its digest no longer exists, a delivery is attempted after this time. */
const FALLBACK_MS = 3 * 24 * 60 * MINUTE_MS;

/**
 * Aggregates deliveries beyond the limit of a minute into a digest. Rows hold everything, so no crash loses or repeats
 * it.
 */
export class Digests {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    /** Deliveries of one notification per minute; 0 means no limit. */
    private readonly limit: number,
  ) {}

  /** True if a leased delivery goes out in a digest; its lease has then ended. */
  async aggregate({ row, token }: Lease): Promise<boolean> {
    if (this.limit === 0 || !isFreshAlert(row) || !isDigested({ digest: row.digest, type: row.type })) return false;
    const allowance = { kind: 'deliveries-of-notification', subject: String(row.notification_id) };
    const nowMs = this.clock.now();
    const usedUp = await chargeUse(this.pool, [{ ...allowance, limit: this.limit, windowMs: MINUTE_MS }], nowMs);
    if (usedUp === null) return false;
    const { untilMs } = usedUp;
    const time = { minuteMs: untilMs - MINUTE_MS, dueMs: untilMs, nowMs: this.clock.now() };
    return this.put({ row, token }, time, digestReason(this.limit));
  }

  /** Aggregates a delivery that a limit of its receiver would postpone. Returns as `aggregate`. */
  async aggregateBeyond({ row, token }: Lease, reason: string): Promise<boolean> {
    if (!isFreshAlert(row)) return false;
    const nowMs = this.clock.now();
    const thisMs = nowMs - (nowMs % MINUTE_MS);
    // A worker whose clock is ahead may already have leased the digest of this minute.
    for (const minuteMs of [thisMs, thisMs + MINUTE_MS]) {
      const time = { minuteMs, dueMs: minuteMs + MINUTE_MS, nowMs };
      if (await this.put({ row, token }, time, reason)) return true;
    }
    return false;
  }

  /**
   * A delivery that has waited a minute takes the others of its notification along. Returns the nudge of the digest;
   * undefined if the delivery goes out alone.
   */
  async gatherThrottled({ row, token }: Lease): Promise<DeliveryNudge | undefined> {
    const nowMs = this.clock.now();
    const isLate = nowMs - row.created_ms >= MINUTE_MS && !row.escalation && !row.after_mute;
    if (!isLate || !isFreshAlert(row) || !isDigested(row)) return undefined;
    const [waiting] = await this.pool.query<(RowDataPacket & { id: number })[]>(
      `SELECT id FROM deliveries WHERE notification_id = ? AND ${IS_THROTTLED} ORDER BY id LIMIT ?`,
      [row.notification_id, MOST_GATHERED],
    );
    if (waiting.length === 0) return undefined;
    return inPoolTransaction(this.pool, async (connection) => {
      const ids = waiting.map(({ id }) => id);
      const others = await lockFreeRows<{ id: number }>(connection, ids, {
        sql: `SELECT id, critical FROM deliveries WHERE id IN (?) AND ${IS_THROTTLED}`,
      });
      if (others.length === 0) return undefined;
      const critical = row.critical || others.some((other) => other.critical) ? 1 : 0;
      const time = { minuteMs: nowMs - (nowMs % MINUTE_MS), dueMs: nowMs, nowMs };
      const digestId = await lockDigest(connection, { ...row, critical }, time);
      if (digestId === null) return undefined;
      await addLeased(connection, digestId, { row, token }, nowMs);
      await addToDigest(
        runOn(connection),
        digestId,
        others.map(({ id }) => id),
        nowMs,
      );
      return nudgeOf({ ...row, id: digestId, priority: 0, kind: 'digest', critical });
    });
  }

  private put({ row, token }: Pick<Lease, 'row' | 'token'>, time: DigestTime, reason: string): Promise<boolean> {
    return inPoolTransaction(this.pool, async (connection) => {
      const digestId = await lockDigest(connection, row, { ...time, reason });
      if (digestId === null) return false;
      await addLeased(connection, digestId, { row, token }, time.nowMs);
      return true;
    });
  }
}

/**
 * True for the first attempt of a firing or of an end. A worker that died with its lease may have sent it: then the
 * receiver recognizes a repeat only by the delivery's own id. A disabled notification gets no digests.
 */
export function isFreshAlert(row: Pick<DeliveryRow, 'attempts' | 'kind' | 'lease_until_ms' | 'enabled'>): boolean {
  const { attempts, lease_until_ms, enabled } = row;
  return attempts === 0 && lease_until_ms === null && Boolean(enabled && kindOf(row).isAggregated);
}

interface DigestTime {
  minuteMs: number;
  dueMs: number;
  nowMs: number;
  afterMute?: boolean;
  reason?: string;
}

/** Inserts a missing digest. Returns null if it has been leased: attempts must not differ. */
export async function lockDigest(
  connection: PoolConnection,
  { owner_id: ownerId, notification_id: notificationId, type, destination, receiver, critical }: DeliveryRow,
  { minuteMs, dueMs, nowMs, afterMute = false, reason }: DigestTime,
): Promise<number | null> {
  const columns =
    'webhook_id, owner_id, notification_id, kind, type, destination, receiver, text, digest_minute_ms, after_mute, waits_for, critical';
  const about = [newWebhookId(), ownerId, notificationId, 'digest', type, destination, receiver];
  const values = [...about, '', minuteMs, afterMute, reason ?? null, critical];
  await connection.query(
    `INSERT INTO deliveries (${columns}, next_attempt_ms, created_ms) VALUES (?) ON DUPLICATE KEY UPDATE critical = critical OR VALUES(critical)`,
    [[...values, dueMs, nowMs]],
  );
  const [[digest]] = await connection.query<RowDataPacket[]>(
    `SELECT id FROM deliveries WHERE notification_id = ? AND digest_minute_ms = ?
       AND status = 'pending' AND attempts = 0 AND lease IS NULL FOR UPDATE`,
    [notificationId, minuteMs],
  );
  return digest ? Number(digest.id) : null;
}

/** Changes nothing if another worker has the lease by now. */
async function addLeased(
  connection: PoolConnection,
  digestId: number,
  { row, token }: Pick<Lease, 'row' | 'token'>,
  nowMs: number,
): Promise<void> {
  await connection.query<ResultSetHeader>(
    `UPDATE deliveries SET digest_id = ?, next_attempt_ms = ?, lease_until_ms = NULL, lease = NULL, permit = NULL, begun = 0
     WHERE id = ? AND lease = ?`,
    [digestId, nowMs + FALLBACK_MS, row.id, token],
  );
}

/** Requires the transaction that has locked the deliveries and the digest. */
export async function addToDigest(run: RunSql, digestId: number, ids: readonly number[], nowMs: number): Promise<void> {
  await run('UPDATE deliveries SET digest_id = ?, next_attempt_ms = ?, throttled_ms = NULL WHERE id IN (?)', [
    digestId,
    nowMs + FALLBACK_MS,
    ids,
  ]);
  await deleteThrottled(run, ids);
}

/** False once the digest has ended. */
export function isInDigest({ digest_status }: Pick<DeliveryRow, 'digest_status'>): boolean {
  return digest_status === 'pending';
}

/** Postpones a delivery that something else has made due. */
export async function leaveInDigest(pool: Pool, id: number, nowMs: number): Promise<void> {
  await pool.query(
    "UPDATE deliveries SET next_attempt_ms = ? WHERE id = ? AND status = 'pending' AND digest_id IS NOT NULL AND lease IS NULL",
    [nowMs + FALLBACK_MS, id],
  );
}

/** Gives each delivery the status and the last attempt of its digest. */
export async function endDigested(
  connection: PoolConnection,
  digestId: number,
  { status, nowMs }: { status: 'delivered' | 'failed'; nowMs: number },
  { outcome, startedMs, durationMs }: Attempt,
): Promise<void> {
  const open = "digest_id = ? AND status <> 'delivered' AND lease IS NULL";
  await connection.query(
    `INSERT INTO delivery_attempts (delivery_id, date_ms, status_code, duration_ms, error)
     SELECT id, ?, ?, ?, ? FROM deliveries WHERE ${open}`,
    [startedMs, outcome.statusCode ?? null, durationMs, outcome.kind === 'delivered' ? null : outcome.reason, digestId],
  );
  await connection.query(
    `UPDATE deliveries SET status = ?, attempts = attempts + 1, next_attempt_ms = NULL, finished_ms = ?, sent_ms = ?
     WHERE ${open}`,
    [status, nowMs, startedMs, digestId],
  );
}

const MAX_LISTED = 100;
/** Items in memory before they are cut: values and texts may have 64 KB. */
const READ_AT_ONCE = 10;
const MAX_CHARACTERS = 500;

/** Undefined for other deliveries. Firings come before ends, critical ones first. Leaves out deleted items. */
export async function findDigest(pool: Pool, row: DeliveryRow, compute: Compute): Promise<Digest | undefined> {
  if (row.kind !== 'digest') return undefined;
  const [[counted]] = await pool.query<RowDataPacket[]>(
    `SELECT COUNT(*) AS count, MIN(e.muted) AS areMuted FROM ${ALERT_SOURCES} WHERE d.digest_id = ? AND ${ALERT_KNOWN}`,
    [row.id],
  );
  const items: DigestItem[] = [];
  while (items.length < MAX_LISTED) {
    const [rows] = await pool.query<ItemRow[]>(
      `SELECT ${ALERT_COLUMNS}, d.webhook_id AS webhookId, d.text FROM ${ALERT_SOURCES}
       WHERE d.digest_id = ? AND ${ALERT_KNOWN} ORDER BY d.kind = 'end', d.critical DESC, d.id LIMIT ? OFFSET ?`,
      [row.id, READ_AT_ONCE, items.length],
    );
    items.push(...(await compute(toItems(rows, row))));
    if (rows.length < READ_AT_ONCE) break;
  }
  const named = await withItemsApart(runOn(pool), { ownerId: row.owner_id, items, compute });
  const wasHeld = counted?.areMuted === 0;
  const digest = { count: Number(counted?.count), items: named, afterMute: Boolean(row.after_mute), wasHeld };
  const text = digestText(digest, wordsOf(row));
  await pool.query("UPDATE deliveries SET text = ? WHERE id = ? AND text = ''", [text, row.id]);
  return digest;
}

type ItemRow = AlertRow & { webhookId: string; text: string };

function* toItems(rows: readonly ItemRow[], digest: DeliveryRow): Steps<DigestItem[]> {
  const items: DigestItem[] = [];
  for (const row of rows) {
    yield;
    items.push(toItem(row, digest));
  }
  return items;
}

function toItem(row: ItemRow, digest: DeliveryRow): DigestItem {
  const alert = toAlert(row, digest.created_ms);
  const { webhookId, text } = row;
  const short = { ...alert, variables: null };
  if (alert.value === null) return { webhookId, text: cut(text), alert: short, reading: null };
  // The whole value has the units of fields.
  const reading = cut(readingIn(alert.value, alert.sensor, wordsOf(digest)));
  return { webhookId, text: cut(text), alert: { ...short, value: cut(alert.value) }, reading };
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
