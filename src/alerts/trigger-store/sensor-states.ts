import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { Mute } from '../../edge/mute';
import { type MeasuringSensor, unitOf } from '../../language/measured-value';
import { mayHaveWindows } from '../../language/windows/written-windows';
import { paced } from '../../platform/paced';
import { storageOf } from '../../platform/retention';
import { readLabels } from '../../storage/labels';
import { readMutes } from '../../storage/mutes';
import { type RunSql, runOn } from '../../storage/transaction';
import { dependencyOf } from '../rules/dependency';
import type { Episode } from '../rules/episode';
import { labelsOf } from '../rules/rule-labels';
import { readsZones } from '../rules/rule-zones';
import type { SensorState, SensorTriggerEntry, ShadowEntry } from '../rules/sensor-state';
import type { TriggerRule } from '../rules/trigger-rule';
import type { TriggerState } from '../rules/trigger-state';
import { type FleetInput, readFedServices } from './fed-services';
import { addZones, type ChargeBytes } from './owner-zones';
import { readShadows } from './shadow-states';

export interface PassSensor {
  /** Active triggers, except those of disabled accounts; null if there are none. */
  state: SensorState | null;
  /** Without fleets. */
  serviceIds: readonly number[];
  /** Absent if it is a member of none. */
  fleets?: readonly FleetInput[];
}

/** Shadows are read only if `hasShadows`: most platforms run none. */
export async function loadSensors(
  connection: PoolConnection,
  sensorIds: readonly number[],
  hasShadows: boolean,
  charge: ChargeBytes = () => {},
): Promise<Map<number, PassSensor>> {
  if (sensorIds.length === 0) return new Map();
  const [states, services] = await Promise.all([
    loadStates(connection, sensorIds, hasShadows, charge),
    readFedServices(connection, sensorIds),
  ]);
  const fed = (id: number) => services.get(id) ?? { serviceIds: [] };
  return new Map(sensorIds.map((id) => [id, { state: states.get(id) ?? null, ...fed(id) }]));
}

const NO_SHADOWS: ReadonlyMap<number, ShadowEntry> = new Map();
const SENSORS = `SELECT id, name, data_type, use_data_storage, retention_days, display_name AS displayName, unit,
  data_structure AS dataStructure FROM sensors WHERE id IN (?)`;

async function loadStates(
  connection: PoolConnection,
  sensorIds: readonly number[],
  hasShadows: boolean,
  charge: ChargeBytes,
): Promise<Map<number, SensorState>> {
  const [[states], sensors] = await Promise.all([
    connection.query<RowDataPacket[]>(
      'SELECT * FROM sensor_triggers WHERE sensor_id IN (?) AND active ORDER BY sensor_id, trigger_id',
      [sensorIds],
    ),
    byId(connection, SENSORS, sensorIds),
  ]);
  if (states.length === 0) return new Map();
  const triggers = await byId(
    connection,
    `SELECT t.id, t.owner_id, t.name, t.expression, t.inactivity, t.hold, t.repeat_after, t.resolve_expression,
       t.keep_firing_for, t.timezone, t.notify_resolved, t.version, t.parent_id, t.parent_label, t.parent_wait_s
     FROM triggers t JOIN users u ON u.id = t.owner_id AND u.disabled_ms IS NULL WHERE t.id IN (?)`,
    states.map((row) => Number(row.trigger_id)),
  );
  const ownerIds = [...triggers.values()].map((trigger) => Number(trigger.owner_id));
  const mutes = await readMutes(runOn(connection), [...new Set(ownerIds)]);
  const shadows = hasShadows ? await readShadows(connection, states) : NO_SHADOWS;
  const loaded = new Map<number, SensorState>();
  for await (const row of paced(states)) {
    const sensor = sensors.get(Number(row.sensor_id));
    const trigger = triggers.get(Number(row.trigger_id));
    if (!sensor || !trigger) continue;
    const id = Number(sensor.id);
    const state = loaded.get(id) ?? emptyState(sensor, mutes.get(Number(trigger.owner_id)));
    const entry = toEntry(row, trigger);
    state.triggers.push(entry);
    if (mayHaveWindows(entry)) state.mayHaveWindows = true;
    const shadow = shadows.get(entry.sensorTriggerId);
    if (shadow) addShadow(state, shadow);
    loaded.set(id, state);
  }
  for (const state of loaded.values()) reduceMutes(state);
  const all = [...loaded.values()];
  await addLabels(runOn(connection), all);
  const located = all.filter((state) => rulesOf(state).some(readsZones));
  await addZones(runOn(connection), located, charge);
  return loaded;
}

/** Reads nothing if no rule names a label. */
async function addLabels(run: RunSql, states: readonly SensorState[]): Promise<void> {
  const labelsIn = (state: SensorState) => rulesOf(state).flatMap(labelsOf);
  const naming = states.filter((state) => labelsIn(state).length > 0);
  const ids = naming.map(({ sensor }) => sensor.id);
  const labels = await readLabels(run, ids, naming.flatMap(labelsIn));
  for (const { sensor } of naming)
    sensor.labels = { sensorName: sensor.name, values: labels.get(sensor.id) ?? new Map() };
}

function rulesOf({ triggers, shadows }: SensorState): TriggerRule[] {
  return [...triggers, ...(shadows?.entries ?? []).map(({ rule }) => rule)];
}

function emptyState(sensor: RowDataPacket, mutes: readonly Mute[] = []): SensorState {
  const known = {
    id: Number(sensor.id),
    name: String(sensor.name),
    unit: unitOf(sensor as MeasuringSensor & RowDataPacket) ?? '', // the columns are those of one
    dataType: String(sensor.data_type),
    storage: storageOf(sensor.use_data_storage, sensor.retention_days),
  };
  return { sensor: known, triggers: [], mutes };
}

function addShadow(state: SensorState, shadow: ShadowEntry): void {
  state.shadows ??= { sensor: state.sensor, triggers: [], mutes: [], entries: [] };
  state.shadows.entries.push(shadow);
  if (mayHaveWindows(shadow.rule)) state.shadows.mayHaveWindows = true;
}

/** To mutes of this sensor and its triggers, because the result is cached. */
function reduceMutes(state: SensorState): void {
  state.mutes = mutesOn(state);
  if (state.shadows) state.shadows.mutes = state.mutes;
}

function mutesOn({ sensor, triggers, mutes }: SensorState): Mute[] {
  return mutes.flatMap((mute) => {
    if (mute.sensors !== null && !mute.sensors.has(sensor.id)) return [];
    if (mute.triggers === null) return [{ ...mute, sensors: null }];
    const own = triggers.flatMap(({ triggerId }) => (mute.triggers?.has(triggerId) ? [triggerId] : []));
    return own.length === 0 ? [] : [{ ...mute, sensors: null, triggers: new Set(own) }];
  });
}

function toEntry(row: RowDataPacket, trigger: RowDataPacket): SensorTriggerEntry {
  const { parent_id: parentId, parent_label: parentLabel, parent_wait_s: parentWaitS } = trigger;
  const dependsOn = dependencyOf({ parentId, parentLabel, parentWaitS });
  return {
    sensorTriggerId: Number(row.id),
    triggerId: Number(trigger.id),
    triggerName: String(trigger.name),
    triggerVersion: trigger.version,
    ownerId: Number(trigger.owner_id),
    expression: trigger.expression,
    inactivity: trigger.inactivity,
    hold: trigger.hold,
    repeat: trigger.repeat_after,
    resolveExpression: trigger.resolve_expression,
    keepFiringFor: trigger.keep_firing_for,
    timezone: trigger.timezone,
    notifyResolved: Boolean(trigger.notify_resolved),
    ...(dependsOn && { dependsOn }),
    mutedUntilMs: row.muted_until_ms,
    state: toState(row),
  };
}

/** The row is one of an active sensor trigger. */
export function toState(row: RowDataPacket): TriggerState {
  return {
    active: true,
    lastTriggeredMs: row.last_triggered_ms,
    timesTriggered: row.times_triggered,
    lastValue: row.last_data_value,
    lastDateMs: row.last_date_ms,
    lastError: row.last_error,
    inactiveSinceMs: row.inactive_since_ms,
    dueAtMs: row.due_at_ms,
    stateSinceMs: row.state_since_ms,
    pendingSinceMs: row.pending_since_ms,
    clearSinceMs: row.clear_since_ms,
    conditionDueMs: row.condition_due_ms,
    episode: toEpisode(row, 'episode'),
    inactivityEpisode: toEpisode(row, 'inactivity_episode'),
  };
}

function toEpisode(row: RowDataPacket, prefix: 'episode' | 'inactivity_episode'): Episode | null {
  const beganMs: number | null = row[`${prefix}_ms`];
  if (beganMs === null) return null;
  return {
    beganMs,
    firedMs: row[`${prefix}_fired_ms`],
    isAcknowledged: Boolean(row[`${prefix}_acknowledged`]),
    isAnnounced: Boolean(row[`${prefix}_announced`]),
  };
}

async function byId(
  connection: PoolConnection,
  sql: string,
  ids: readonly number[],
): Promise<Map<number, RowDataPacket>> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [Number(row.id), row]));
}
