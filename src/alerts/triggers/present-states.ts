import type { RowDataPacket } from 'mysql2/promise';
import type { PresentState } from '../../edge/present-filter';
import type { Severity } from '../../edge/severity';
import { inactiveSql, newestDateSql } from '../../points';
import type { Reader } from '../../storage/read-pool';

/** What a sensor does now: `none` if it has data and no active trigger. */
export type SensorState = PresentState | 'none';

export interface StateNow {
  state: SensorState;
  /** Ms; without data the date of the newest point. Null if unknown. */
  sinceMs: number | null;
  severity: Severity | null;
}

const SEVERITIES = ['critical', 'warning', 'info'] as const;
export const FIRES = '(st.episode_ms IS NOT NULL OR st.inactivity_episode_ms IS NOT NULL)';
export const IS_PENDING = '(st.pending_since_ms IS NOT NULL)';
/** The first by urgency gives state, severity and start. */
const WORST = `MIN(CONCAT(IF(${FIRES}, 0, IF(${IS_PENDING}, 1, 2)), FIELD(t.severity, 'critical', 'warning', 'info'),
  LPAD(COALESCE(st.state_since_ms, 0), 15, '0')))`;
const STATES = ['firing', 'pending', 'ok'] as const;

/** Returns states by sensor id. Firing outranks being without data, which outranks pending and ok. */
export async function findSensorStates(
  from: Reader,
  userId: number,
  sensorIds: readonly number[],
  nowMs: number,
): Promise<Map<number, StateNow>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await from.query<RowDataPacket[]>(
    `SELECT s.id, ${newestDateSql('s.id')} AS newestMs, worst.worst,
       IF(worst.worst < '1', FALSE, ${inactiveSql(nowMs)}) AS isInactive
     FROM sensors s LEFT JOIN (
       SELECT st.sensor_id AS sensorId, ${WORST} AS worst
       FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
       WHERE st.sensor_id IN (?) AND t.owner_id = ? AND st.active GROUP BY st.sensor_id) worst ON worst.sensorId = s.id
     WHERE s.id IN (?)`,
    [sensorIds, userId, sensorIds],
  );
  return new Map(rows.map((row) => [Number(row.id), stateOf(row)]));
}

function stateOf({ newestMs, worst, isInactive }: RowDataPacket): StateNow {
  if (Number(isInactive) === 1) {
    return { state: 'silent', sinceMs: newestMs === null ? null : Number(newestMs), severity: null };
  }
  if (worst === null) return { state: 'none', sinceMs: null, severity: null };
  const text = String(worst);
  const sinceMs = Number(text.slice(2));
  return {
    state: STATES[Number(text[0])] ?? 'ok',
    severity: SEVERITIES[Number(text[1]) - 1] ?? null,
    sinceMs: sinceMs === 0 ? null : sinceMs,
  };
}
