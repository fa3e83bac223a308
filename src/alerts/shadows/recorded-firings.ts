import type { RowDataPacket } from 'mysql2/promise';
import type { FiringVariables } from '../../notifications';
import type { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import type { Reader } from '../../storage/read-pool';
import type { EpisodeCause } from '../rules/episode';

export interface RecordedFiring {
  sensorId: number;
  cause: EpisodeCause;
  firedMs: number;
  /** First firing of its episode. */
  beganMs: number;
  /** End of the episode; null while it lasts. */
  endedMs: number | null;
  isMuted: boolean;
  variables: FiringVariables;
}

type Shadow = Pick<TriggerShadow, 'id' | 'triggerId' | 'ownerId' | 'createdMs' | 'untilMs'>;

/** More of a side are not read. */
export const MOST_FIRINGS = 10_000;

/** Firings of episodes that have begun since the shadow did, oldest first: at most one more than `MOST_FIRINGS`. */
export async function readShadowFirings(reads: Reader, { id, createdMs }: Shadow): Promise<RecordedFiring[]> {
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT f.sensor_id AS sensorId, f.reason, f.fired_ms AS firedMs, f.episode_ms AS beganMs, first.ended_ms AS endedMs,
       f.is_muted AS isMuted, f.variables
     FROM shadow_firings f LEFT JOIN shadow_firings first ON first.shadow_id = f.shadow_id
       AND first.fired_ms = f.episode_ms AND first.sensor_trigger_id = f.sensor_trigger_id AND first.reason = f.reason
     WHERE f.shadow_id = ? AND f.episode_ms > ? ORDER BY f.fired_ms LIMIT ?`,
    [id, createdMs, MOST_FIRINGS + 1],
  );
  return rows.map(toFiring);
}

/** Firings of the live trigger in that time. Alerts that late points brought afterwards do not count. */
export async function readLiveFirings(
  reads: Reader,
  { triggerId, ownerId, createdMs, untilMs }: Shadow,
): Promise<RecordedFiring[]> {
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT f.sensor_id AS sensorId, f.reason, f.fired_ms AS firedMs, first.fired_ms AS beganMs,
       first.ended_ms AS endedMs, f.muted AS isMuted, f.variables
     FROM firings f JOIN firings first ON first.id = COALESCE(f.episode_id, f.id)
     WHERE f.owner_id = ? AND f.trigger_id = ? AND f.fired_ms BETWEEN ? AND ? AND first.fired_ms > ?
       AND f.reported_ms IS NULL ORDER BY f.fired_ms LIMIT ?`,
    [ownerId, triggerId, createdMs, untilMs, createdMs, MOST_FIRINGS + 1],
  );
  return rows.map(toFiring);
}

function toFiring(row: RowDataPacket): RecordedFiring {
  return {
    sensorId: Number(row.sensorId),
    cause: row.reason === 'inactivity' ? 'inactivity' : 'expression',
    firedMs: Number(row.firedMs),
    beganMs: Number(row.beganMs),
    endedMs: row.endedMs === null ? null : Number(row.endedMs),
    isMuted: Boolean(row.isMuted),
    variables: JSON.parse(row.variables),
  };
}
