import type { Pool, RowDataPacket } from 'mysql2/promise';
import { DEFAULT_SEVERITY } from '../../edge/severity';
import { unitOf } from '../../language/measured-value';
import { Sample, type TextValues } from '../../language/notification-text';
import { sampleValue } from '../../language/sample-value';
import type { Words } from '../../platform/words/words';
import { newestPoint } from '../../points';
import { runOn } from '../../storage/transaction';
import type { Alert } from '../delivery/alert';
import { SOURCE_COLUMNS, type SourceRow, sourcesOf, withLabels } from '../delivery/alerts';
import { type FiringVariables, firingVariables } from '../delivery/firing-variables';

export interface TestAlert {
  /** Undefined if only events use the notification. */
  alert?: Alert;
  values: TextValues;
}

interface ConnectedRow extends SourceRow {
  lastTriggeredMs: number;
  timesTriggered: number;
  lastValue: string | null;
  lastDateMs: number | null;
}

/**
 * Makes a test as if the connected trigger with the newest value had fired now. Without a connection or a value, uses
 * marked samples.
 */
export async function composeTest(
  pool: Pool,
  notificationId: number,
  { nowMs, words }: { nowMs: number; words: Words },
): Promise<TestAlert> {
  const [[connected]] = await pool.query<ConnectedRow[]>(
    `SELECT ${SOURCE_COLUMNS}, st.last_triggered_ms AS lastTriggeredMs, st.times_triggered AS timesTriggered,
       st.last_data_value AS lastValue, st.last_date_ms AS lastDateMs
     FROM (SELECT stn.sensor_trigger_id AS id FROM sensor_trigger_notifications stn WHERE stn.notification_id = ?
           UNION
           SELECT w.id FROM trigger_notifications tn JOIN sensor_triggers w ON w.trigger_id = tn.trigger_id
           WHERE tn.notification_id = ?) connected
       JOIN sensor_triggers st ON st.id = connected.id
       JOIN sensors s ON s.id = st.sensor_id JOIN triggers t ON t.id = st.trigger_id
     ORDER BY COALESCE(st.last_date_ms, 0) DESC, st.id LIMIT 1`,
    [notificationId, notificationId],
  );
  if (connected) {
    const alert = await ofConnection(pool, connected, nowMs);
    return withValues(await withLabels(runOn(pool), alert, await readTexts(pool, notificationId)), words);
  }
  const [[event]] = await pool.query<RowDataPacket[]>(
    'SELECT event, owner_id AS ownerId FROM event_notifications WHERE notification_id = ? ORDER BY id LIMIT 1',
    [notificationId],
  );
  if (!event) return composeSample(nowMs, words);
  return { values: { event: event.event, subject_id: 'sample', source_id: 'sample', user_id: event.ownerId } };
}

export function composeSample(nowMs: number, words: Words): Required<TestAlert> {
  return withValues(sampleAt(nowMs, words), words);
}

async function readTexts(pool: Pool, notificationId: number): Promise<(string | null)[]> {
  const [[row]] = await pool.query<RowDataPacket[]>('SELECT text, destination, body FROM notifications WHERE id = ?', [
    notificationId,
  ]);
  return row ? [row.text, row.destination, row.body] : [];
}

async function ofConnection(pool: Pool, row: ConnectedRow, nowMs: number): Promise<Alert> {
  const point = await newestPoint(pool, row.sensorId);
  const { lastValue, lastDateMs } = row;
  const lastEvaluated = lastValue === null || lastDateMs === null ? null : { value: lastValue, dateMs: lastDateMs };
  const latest = point ?? lastEvaluated;
  const shown = latest ?? { value: sampleValue(row), dateMs: nowMs };
  const test = testAt(nowMs, shown, firingVariables(row, shown, nowMs));
  return { ...test, ...sourcesOf(row), isSample: latest === null };
}

function sampleAt(nowMs: number, words: Words): Alert {
  const state = { lastTriggeredMs: 0, timesTriggered: 0, lastValue: null, lastDateMs: null };
  const sensor = { id: null, name: words.t('sample sensor'), displayName: '', dataType: '', dataStructure: '' };
  const point = { value: sampleValue(sensor), dateMs: nowMs };
  return {
    ...testAt(nowMs, point, firingVariables(state, point, nowMs)),
    sensor,
    trigger: {
      ...{ id: null, name: words.t('sample trigger'), expression: null, inactivity: null },
      ...{ timezone: 'UTC', severity: DEFAULT_SEVERITY },
    },
    isSample: true,
  };
}

function testAt(atMs: number, { value, dateMs }: { value: string; dateMs: number }, variables: FiringVariables) {
  const firing = { firingId: null, episodeId: null, state: 'firing', reason: 'expression', resolvedBy: null } as const;
  return { ...firing, value, dateMs, atMs, variables };
}

export function withValues(alert: Alert, words: Words): Required<TestAlert> {
  const { sensor, trigger, value, variables, isSample } = alert;
  const names = { sensor_name: sensor.name, trigger_name: trigger.name, unit: unitOf(sensor) ?? '' };
  const ids = { sensor_id: sensor.id ?? 'sample', trigger_id: trigger.id ?? 'sample' };
  const sample = isSample && value !== null ? { sensor_data_value: new Sample(value, words) } : {};
  return { alert, values: { ...variables, ...names, ...ids, ...sample } };
}
