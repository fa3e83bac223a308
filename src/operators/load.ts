import type { RowDataPacket } from 'mysql2/promise';
import { DEGRADED_AFTER } from '../notifications';
import type { Clock } from '../platform/clock';
import type { Reader } from '../storage/read-pool';

const SUMMED_BATCHES = 10_000;

/** Maximum number of planned deliveries that are read to count postponed ones. */
const COUNTED_DELIVERIES = 10_000;

/** The parts are answered from an index, or read few rows. */
const LOAD = `
  SELECT 'batches' AS what, COUNT(*) AS count, NULL AS oldestMs FROM inbox_batches
  UNION ALL SELECT 'points', COALESCE(SUM(points), 0), NULL FROM (SELECT points FROM inbox_batches LIMIT ${SUMMED_BATCHES}) b
  UNION ALL SELECT 'oldest-points', NULL, MIN(ms) FROM (SELECT MIN(stored_ms) AS ms FROM inbox_batches GROUP BY partition_no) o
  UNION ALL SELECT 'events', COUNT(*), MIN(created_ms) FROM events
  UNION ALL SELECT 'events_failing', COUNT(*), NULL FROM events WHERE retry_at_ms IS NOT NULL
  UNION ALL SELECT 'deliveries_due', COUNT(*), MIN(next_attempt_ms) FROM deliveries WHERE status = 'pending' AND next_attempt_ms <= ?
  UNION ALL SELECT 'deliveries_planned', COUNT(*), NULL FROM deliveries WHERE status = 'pending' AND next_attempt_ms > ?
  UNION ALL SELECT 'deliveries_throttled', COUNT(*), NULL FROM deliveries WHERE status = 'pending' AND next_attempt_ms IS NULL
  UNION ALL SELECT 'deliveries_limited', COUNT(*), NULL FROM (SELECT waits_for FROM deliveries
    WHERE status = 'pending' AND next_attempt_ms > ? LIMIT ${COUNTED_DELIVERIES}) p WHERE waits_for IS NOT NULL
  UNION ALL SELECT 'critical_late', COUNT(*), MIN(late_ms) FROM deliveries WHERE status = 'pending' AND late_ms <= ?
  UNION ALL SELECT 'training', COUNT(*), MIN(created_ms) FROM training_jobs WHERE status = 'pending'
  UNION ALL SELECT 'purge', COUNT(*), MIN(created_ms) FROM purge_queue
  UNION ALL SELECT 'mqtt_sources', COUNT(*), MIN(GREATEST(s.next_try_ms, s.leased_until_ms))
    FROM mqtt_sources s JOIN users u ON u.id = s.owner_id AND u.closed_ms IS NULL AND u.disabled_ms IS NULL
    WHERE s.enabled AND s.leased_until_ms < ? AND s.next_try_ms <= ?
  UNION ALL SELECT 'quarantined', COUNT(*), NULL FROM quarantine WHERE expires_ms > ?
  UNION ALL SELECT 'receivers_paused', COUNT(*), NULL FROM paused_receivers
  UNION ALL SELECT 'receivers_degraded', COUNT(*), NULL FROM degraded_receivers WHERE failures >= ${DEGRADED_AFTER}`;

export interface Load {
  counts: ReadonlyMap<string, number>;
  /** Age of the oldest item by kind, in seconds; 0 if nothing waits. */
  oldestSeconds: ReadonlyMap<string, number>;
}

/** Cheap enough for every scrape; the statement has a time limit. */
export async function readLoad(reads: Reader, clock: Clock): Promise<Load> {
  const nowMs = clock.now();
  const [rows] = await reads.query<RowDataPacket[]>(LOAD, Array(7).fill(nowMs));
  const ages = new Map(rows.map(({ what, oldestMs }) => [String(what), secondsSince(oldestMs, nowMs)]));
  return {
    counts: new Map(
      rows.flatMap(({ what, count }) => (count === null ? [] : [[String(what), Number(count)] as const])),
    ),
    oldestSeconds: new Map([
      ['points', ages.get('oldest-points') ?? 0],
      ...['events', 'deliveries_due', 'critical_late', 'training', 'purge', 'mqtt_sources'].map(
        (what) => [what, ages.get(what) ?? 0] as const,
      ),
    ]),
  };
}

function secondsSince(ms: unknown, nowMs: number): number {
  return ms === null ? 0 : Math.max(0, (nowMs - Number(ms)) / 1_000);
}
