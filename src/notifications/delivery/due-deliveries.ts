import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { IS_FREE, NUDGE_COLUMNS, type NudgeRow, nudgeOf } from './delivery-rows';

const DELIVERIES_PER_RUN = 1_000;
const CROWD = DELIVERIES_PER_RUN / 10;

/** Reads others apart from a crowd, so that no backlog hides them. Critical ones come first. */
export async function findDueDeliveries(pool: Pool, nowMs: number): Promise<DeliveryNudge[]> {
  const oldest = await readDue(pool, nowMs);
  const due = new Map(oldest.map((row) => [row.id, row]));
  for (const column of oldest.length < DELIVERIES_PER_RUN ? [] : CROWDING) {
    const crowded = crowdedIn(oldest, column);
    if (crowded.length === 0) continue;
    const others = await readDue(pool, nowMs, `AND (${column} IS NULL OR ${column} NOT IN (?))`, [crowded]);
    // Several reads may find a delivery.
    for (const row of others) due.set(row.id, row);
  }
  return [...due.values()].sort((a, b) => Number(b.critical) - Number(a.critical)).map(nudgeOf);
}

async function readDue(pool: Pool, nowMs: number, except = '', crowded: unknown[] = []): Promise<NudgeRow[]> {
  const [rows] = await pool.query<(RowDataPacket & NudgeRow)[]>(
    `SELECT ${NUDGE_COLUMNS} FROM deliveries
     WHERE status = 'pending' AND next_attempt_ms <= ? AND ${IS_FREE} ${except}
     ORDER BY next_attempt_ms LIMIT ?`,
    [nowMs, nowMs, ...crowded, DELIVERIES_PER_RUN],
  );
  return rows;
}

const CROWDING = ['receiver', 'owner_id'] as const;

function crowdedIn(rows: readonly NudgeRow[], column: (typeof CROWDING)[number]): (string | number)[] {
  const counts = new Map<string | number, number>();
  for (const { [column]: value } of rows) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > CROWD).map(([value]) => value);
}
