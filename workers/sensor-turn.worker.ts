import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import { SensorActor, type SensorState } from '../src/actors/sensor.actor';
import { ServiceActor, type StoredService } from '../src/actors/service.actor';
import type { Container } from '../src/container';
import { isPermanent } from '../src/database/mysql-errors';
import { inPoolTransaction } from '../src/database/transaction';
import {
  deleteRows,
  type InboxRow,
  lockPartition,
  readAvailability,
  readWork,
  type TurnScope,
  waitingSensors,
} from '../src/ingest/inbox';
import { loadSensors } from '../src/ingest/sensor-states';
import { loadServices, readFeeds, writeServiceResults } from '../src/ingest/service-states';
import { takeWithinBudget } from '../src/ingest/turn-budget';
import { type SensorResult, writeResults } from '../src/ingest/turn-results';

/** Turns of one job. More waiting rows make another job, so that partitions take turns. */
const TURNS_PER_JOB = 10;

/** Takes turns of a partition until nothing waits in it. */
export async function handleSensorTurn({ partition }: SensorTurnPayload, container: Container): Promise<string> {
  for (let turn = 0; turn < TURNS_PER_JOB; turn += 1) {
    try {
      if (!(await takeTurn({ partition }, container))) return 'drained';
    } catch (error) {
      if (!isPermanent(error)) throw error;
      container.logger.error({ partition, reason: String(error) }, 'a turn failed; its sensors go on one by one');
      return isolateFailingSensors(partition, container);
    }
  }
  await container.jobQueue.enqueueTurns([partition]);
  return 'more-waits';
}

/** A turn for each sensor that waits, so that what fails in one keeps no other waiting. Its own points stay where they are. */
async function isolateFailingSensors(partition: number, container: Container): Promise<string> {
  const { database, config, clock, logger, metrics } = container;
  let failed = 0;
  for (const sensorId of await waitingSensors(database.pool, partition, config.partitions, clock.now())) {
    try {
      for (let turn = 0; turn < TURNS_PER_JOB && (await takeTurn({ partition, sensorId }, container)); ) turn += 1;
    } catch (error) {
      if (!isPermanent(error)) throw error;
      failed += 1;
      metrics.turns.inc({ outcome: 'failed' });
      logger.error({ sensorId, reason: String(error) }, 'what waits for a sensor cannot be handled');
    }
  }
  return `one by one, ${failed} failed`;
}

/** One turn, and the rings for what came of it. Whether more waits. */
async function takeTurn(scope: TurnScope, container: Container): Promise<boolean> {
  const { jobQueue, decisionLog, metrics } = container;
  const { results, wakeUps, partitions, events, more } = await decide(scope, container);
  metrics.turns.inc({ outcome: results.length > 0 ? 'evaluated' : 'idle' });
  for (const { changes } of results) {
    for (const firing of changes.firings) metrics.firings.inc({ reason: firing.reason });
  }
  if (wakeUps.length > 0) await jobQueue.enqueueDeliveries(wakeUps);
  if (partitions.size > 0) await jobQueue.enqueueTurns(partitions);
  if (events > 0) await jobQueue.enqueueEventDispatch();
  // Last, because nobody waits for them.
  await decisionLog.write(results.flatMap(({ changes }) => changes.decisions));
  return more;
}

/**
 * With the partition locked, every actor gets its sensor's points, oldest first, then is asked about inactivity; then the
 * services that these sensors feed compute. What they decide and compute is written, and what they handled removed, in
 * the same transaction.
 */
function decide(scope: TurnScope, { database, clock, config }: Container) {
  return inPoolTransaction(database.pool, async (connection) => {
    await lockPartition(connection, scope.partition);
    const work = await readWork(connection, scope, config.partitions, clock.now());
    const sensorIds = new Set([...work.rows.map(({ sensorId }) => sensorId), ...work.dueSensorIds]);
    const states = await loadSensors(connection, [...sensorIds]);
    const availability = await readAvailability(connection, earliestInactivity(states, work.rows), work.rows);
    const feeds = await readFeeds(connection, [...sensorIds]);
    const rows = takeWithinBudget(work.rows, states, feeds);
    // An inactivity is only looked at when every point that waits for its sensor is in hand.
    const left = new Set(work.rows.slice(rows.length).map(({ sensorId }) => sensorId));
    const due = new Set(work.dueSensorIds.filter((sensorId) => !left.has(sensorId)));
    const pointsOf = groupBySensor(rows);
    // Read last: a process may stand still between any two lines, and what it has in hand must not lie in its future.
    const nowMs = clock.now();
    const results: SensorResult[] = [];
    for (const [sensorId, state] of states) {
      const actor = new SensorActor(state);
      const context = { nowMs, ...availability };
      const points = pointsOf.get(sensorId);
      if (points) actor.handle({ kind: 'points', points }, context);
      if (due.has(sensorId)) actor.handle({ kind: 'inactivity-due' }, context);
      results.push({ sensor: state.sensor, changes: actor.changes() });
    }
    const written = await writeResults(connection, results, nowMs, clock);
    const fed = new Set(feeds.filter(({ sensorId }) => pointsOf.has(sensorId)).map(({ serviceId }) => serviceId));
    const computed = (await loadServices(connection, [...fed])).map((service) =>
      new ServiceActor(service).onDataPoints(pointsFor(service, rows), nowMs),
    );
    const { partitions, events } = await writeServiceResults(connection, computed, config.partitions, nowMs);
    await deleteRows(connection, rows);
    const more = work.more || left.size > 0;
    return { results, wakeUps: written.wakeUps, partitions, events: written.events + events, more };
  });
}

/** The points of a service's inputs, in order of date, and of arrival where dates are equal. */
function pointsFor({ inputs }: StoredService, rows: InboxRow[]): InboxRow[] {
  const ids = new Set(inputs.map(({ sensorId }) => sensorId));
  return rows.filter(({ sensorId }) => ids.has(sensorId)).sort((a, b) => a.dateMs - b.dateMs || a.id - b.id);
}

function groupBySensor(rows: InboxRow[]): Map<number, InboxRow[]> {
  const groups = new Map<number, InboxRow[]>();
  for (const row of rows) {
    const group = groups.get(row.sensorId);
    if (group) group.push(row);
    else groups.set(row.sensorId, [row]);
  }
  return groups;
}

/** Outages before this instant cannot matter to any of these sensors. */
function earliestInactivity(states: Map<number, SensorState>, rows: InboxRow[]): number {
  let earliest = Number.MAX_SAFE_INTEGER;
  for (const { triggers } of states.values()) {
    for (const { state } of triggers) earliest = Math.min(earliest, state.inactiveSinceMs ?? earliest);
  }
  for (const row of rows) earliest = Math.min(earliest, row.receivedMs);
  return earliest;
}
