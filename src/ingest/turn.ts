import type { Pool } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import { SensorActor, type SensorState } from '../actors/sensor.actor';
import { computeService, type StoredService } from '../actors/service.actor';
import type { Clock } from '../clock';
import { inPoolTransaction } from '../database/transaction';
import { deleteRows, type InboxRow, lockPartition, readAvailability, readWork, type TurnScope } from './inbox';
import { loadSensors } from './sensor-states';
import { loadServices, readFeeds, writeServiceResults } from './service-states';
import { takeWithinBudget } from './turn-budget';
import { type SensorResult, writeResults } from './turn-results';

/** What a turn has committed, and what is to be woken up for it. */
export interface TurnOutcome {
  results: SensorResult[];
  wakeUps: DeliveryWakeUp[];
  /** Partitions of virtual sensors that got points. */
  partitions: Set<number>;
  /** How many events wait to be dispatched. */
  events: number;
  /** Whether more waits for the same scope. */
  hasMore: boolean;
}

/**
 * One turn, in one transaction. With the partition locked, every actor gets its sensor's points, oldest first, then is
 * asked about inactivity; then the services that these sensors feed compute. What they decide and compute is written, and
 * what they handled removed.
 */
export function runTurn(pool: Pool, scope: TurnScope, clock: Clock, partitionCount: number): Promise<TurnOutcome> {
  return inPoolTransaction(pool, async (connection) => {
    await lockPartition(connection, scope.partition);
    const work = await readWork(connection, scope, partitionCount, clock.now());
    const sensorIds = [...new Set([...work.rows.map(({ sensorId }) => sensorId), ...work.dueSensorIds])];
    const states = await loadSensors(connection, sensorIds);
    const availability = await readAvailability(connection, earliestInactivity(states, work.rows), work.rows);
    const feeds = await readFeeds(connection, sensorIds);
    const rows = takeWithinBudget(work.rows, states, feeds);
    // An inactivity is only looked at when every point that waits for its sensor has been read.
    const left = new Set(work.rows.slice(rows.length).map(({ sensorId }) => sensorId));
    const due = new Set(work.dueSensorIds.filter((sensorId) => !left.has(sensorId)));
    const pointsOf = groupBySensor(rows);
    // Read last: a process may be paused between any two lines, and the points it has read must not lie in its future.
    const nowMs = clock.now();
    const results = decide(states, pointsOf, due, { nowMs, ...availability });
    const written = await writeResults(connection, results, nowMs, clock);
    const fed = new Set(feeds.filter(({ sensorId }) => pointsOf.has(sensorId)).map(({ serviceId }) => serviceId));
    const services = await loadServices(connection, [...fed]);
    const computed = services.map((service) => computeService(service, inputPoints(service, pointsOf), nowMs));
    const { partitions, events } = await writeServiceResults(connection, computed, partitionCount, nowMs);
    await deleteRows(connection, rows);
    const hasMore = work.hasMore || left.size > 0;
    return { results, wakeUps: written.wakeUps, partitions, events: written.events + events, hasMore };
  });
}

/** Lets each sensor's actor handle its points, then its inactivity if that may be due. */
function decide(
  states: ReadonlyMap<number, SensorState>,
  pointsOf: ReadonlyMap<number, InboxRow[]>,
  due: ReadonlySet<number>,
  context: Parameters<SensorActor['handle']>[1],
): SensorResult[] {
  return [...states].map(([sensorId, state]) => {
    const actor = new SensorActor(state);
    const points = pointsOf.get(sensorId);
    if (points) actor.handle({ kind: 'points', points }, context);
    if (due.has(sensorId)) actor.handle({ kind: 'inactivity-due' }, context);
    return { sensor: state.sensor, changes: actor.changes() };
  });
}

/** The points of a service's inputs, in order of date, and of arrival where dates are equal. */
function inputPoints({ inputs }: StoredService, pointsOf: ReadonlyMap<number, InboxRow[]>): InboxRow[] {
  return inputs
    .flatMap(({ sensorId }) => pointsOf.get(sensorId) ?? [])
    .sort((a, b) => a.dateMs - b.dateMs || a.id - b.id);
}

function groupBySensor(rows: readonly InboxRow[]): Map<number, InboxRow[]> {
  const groups = new Map<number, InboxRow[]>();
  for (const row of rows) {
    const group = groups.get(row.sensorId);
    if (group) group.push(row);
    else groups.set(row.sensorId, [row]);
  }
  return groups;
}

/** Outages before this instant cannot matter to any of these sensors. */
function earliestInactivity(states: ReadonlyMap<number, SensorState>, rows: readonly InboxRow[]): number {
  let earliest = Number.MAX_SAFE_INTEGER;
  for (const { triggers } of states.values()) {
    for (const { state } of triggers) earliest = Math.min(earliest, state.inactiveSinceMs ?? earliest);
  }
  for (const row of rows) earliest = Math.min(earliest, row.receivedMs);
  return earliest;
}
