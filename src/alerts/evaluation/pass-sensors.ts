import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { WaitingPoint } from '../../points';
import type { PassSensor } from '../trigger-store/sensor-states';
import type { PassStates } from '../trigger-store/trigger-store';
import type { PassWork } from './inbox';

/** A trigger holds a value of up to 64 KB in memory. */
const TRIGGERS_PER_PASS = 2_500;
const TRIGGERS_WITH_CACHED = 10_000;
/** So few sensors never exceed the limit: a sensor has at most 100 triggers. */
const FEW_SENSORS = 20;

/**
 * Selects as much work as the trigger limits allow. With too many triggers, owners get equal parts, and so do sensors
 * with an inactivity that may be due.
 */
export async function selectSensors(
  connection: PoolConnection,
  work: PassWork,
  states: PassStates,
): Promise<{ work: PassWork; sensors: Map<number, PassSensor> }> {
  const known = new Map<number, PassSensor>();
  const unknown: number[] = [];
  let knownTriggers = 0;
  for (const id of sensorsOf(work)) {
    const sensor = states.cached(id);
    if (!sensor) unknown.push(id);
    else known.set(id, sensor);
    knownTriggers += sensor?.state?.triggers.length ?? 0;
  }
  const counts = await countTriggers(connection, unknown);
  const most = sum(counts) <= TRIGGERS_PER_PASS ? TRIGGERS_WITH_CACHED : TRIGGERS_PER_PASS;
  if (knownTriggers + sum(counts) <= most) return { work, sensors: await withUnknown(states, known, unknown) };
  for (const [id, { state }] of known) counts.set(id, state?.triggers.length ?? 0);
  const groups = [...sensorsByOwner(work.points), new Set(work.dueSensorIds)].filter(({ size }) => size > 0);
  const taken = new Set(groups.flatMap((sensors) => first([...sensors], counts, most / groups.length)));
  const isTaken = (sensorId: number) => taken.has(sensorId);
  const points = work.points.filter(({ sensorId }) => isTaken(sensorId));
  const part = { ...work, points, dueSensorIds: work.dueSensorIds.filter(isTaken), hasMore: true };
  const knownOfPart = new Map([...known].filter(([id]) => isTaken(id)));
  return { work: part, sensors: await withUnknown(states, knownOfPart, unknown.filter(isTaken)) };
}

function sensorsOf({ points, dueSensorIds }: PassWork): Set<number> {
  const ids = new Set<number>();
  for (const { sensorId } of points) ids.add(sensorId);
  for (const id of dueSensorIds) ids.add(id);
  return ids;
}

/** Sensors beyond the limit are not counted: they get a higher number. */
async function countTriggers(connection: PoolConnection, unknown: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  if (unknown.length <= FEW_SENSORS) return counts;
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT sensor_id AS sensorId FROM sensor_triggers WHERE sensor_id IN (?) AND active ORDER BY sensor_id LIMIT ?',
    [unknown, TRIGGERS_PER_PASS + 1],
  );
  for (const { sensorId } of rows) counts.set(Number(sensorId), (counts.get(Number(sensorId)) ?? 0) + 1);
  if (rows.length > TRIGGERS_PER_PASS) {
    // The last sensor may have more triggers than were read.
    const end = Number(rows.at(-1)?.sensorId);
    for (const id of unknown) if (id >= end) counts.set(id, TRIGGERS_PER_PASS + 1);
  }
  return counts;
}

/** First ids whose triggers fit, and at least one id. */
function first(ids: readonly number[], counts: ReadonlyMap<number, number>, most: number): number[] {
  const inOrder = [...ids].sort((a, b) => a - b);
  let left = most;
  const end = inOrder.findIndex((id) => {
    left -= counts.get(id) ?? 0;
    return left < 0;
  });
  return end < 0 ? inOrder : inOrder.slice(0, Math.max(1, end));
}

async function withUnknown(
  states: PassStates,
  known: Map<number, PassSensor>,
  unknown: readonly number[],
): Promise<Map<number, PassSensor>> {
  return unknown.length === 0 ? known : new Map([...known, ...(await states.load(unknown))]);
}

function sensorsByOwner(points: readonly WaitingPoint[]): Iterable<Set<number>> {
  const sensors = new Map<number, Set<number>>();
  for (const { ownerId, sensorId } of points) {
    const known = sensors.get(ownerId);
    if (known) known.add(sensorId);
    else sensors.set(ownerId, new Set([sensorId]));
  }
  return sensors.values();
}

function sum(counts: ReadonlyMap<number, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
