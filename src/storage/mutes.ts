import type { Mute } from '../edge/mute';
import { paced } from '../platform/paced';
import type { RunSql } from './transaction';

/** Returns mutes by user, with those that do not apply now. */
export async function readMutes(run: RunSql, ownerIds: readonly number[]): Promise<Map<number, Mute[]>> {
  if (ownerIds.length === 0) return new Map();
  const rows = await run(
    `SELECT owner_id AS ownerId, start_ms AS startMs, end_ms AS endMs, sensors, triggers, days,
       from_time AS fromTime, to_time AS toTime, timezone, delivers_after AS deliversAfter
     FROM mutes WHERE owner_id IN (?) ORDER BY owner_id, id`,
    [ownerIds],
  );
  const mutes = new Map<number, Mute[]>();
  for await (const row of paced(rows)) {
    const ownerId = Number(row.ownerId);
    mutes.set(ownerId, [...(mutes.get(ownerId) ?? []), toMute(row)]);
  }
  return mutes;
}

function toMute(row: Record<string, unknown>): Mute {
  return {
    startMs: numberOrNull(row.startMs),
    endMs: numberOrNull(row.endMs),
    sensors: idsOrNull(row.sensors),
    triggers: idsOrNull(row.triggers),
    weekly:
      row.days === null
        ? null
        : {
            days: JSON.parse(String(row.days)),
            from: String(row.fromTime),
            to: String(row.toTime),
            timezone: String(row.timezone),
          },
    deliversAfter: Boolean(row.deliversAfter),
  };
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function idsOrNull(value: unknown): ReadonlySet<number> | null {
  return value === null ? null : new Set<number>(JSON.parse(String(value)));
}
