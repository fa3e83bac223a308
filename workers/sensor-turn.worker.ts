import type { DeliveryRing } from '../jobs/delivery.job';
import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import { type Decided, SensorActor, type SensorState } from '../src/actors/sensor.actor';
import { ServiceActor, type StoredService } from '../src/actors/service.actor';
import type { Container } from '../src/container';
import { deleteRows, type InboxRow, loadSensors, lockPartition, readAvailability, readWork } from '../src/ingest/inbox';
import { loadServices, writeServiceResults } from '../src/ingest/service-inputs';
import { withRetry } from '../src/ingest/transaction';
import { type SensorResult, writeResults } from '../src/ingest/turn-results';

/** Turns of one job. More waiting rows make another job, so that partitions take turns. */
const TURNS_PER_JOB = 10;

/** Takes turns of a partition until nothing waits in it. */
export async function handleSensorTurn({ partition }: SensorTurnPayload, container: Container): Promise<string> {
  for (let turn = 0; turn < TURNS_PER_JOB; turn += 1) {
    const { rings, partitions, events, more, decided } = await takeTurn(partition, container);
    if (rings.length > 0) await container.doorbells.deliveries(rings);
    if (partitions.size > 0) await container.doorbells.partitions(partitions);
    if (events > 0) await container.doorbells.events();
    // Last, because nobody waits for them.
    await container.decisionLog.write(decided);
    if (!more) return 'drained';
  }
  await container.doorbells.partitions([partition]);
  return 'more waits';
}

interface Turn {
  rings: DeliveryRing[];
  partitions: Set<number>;
  events: number;
  more: boolean;
  decided: Decided[];
}

/**
 * One turn: with the partition locked, every actor gets its sensor's points, oldest first, then is asked about
 * silence; then the services that these sensors feed compute. What they decide and compute is written, and what they
 * handled removed, in the same transaction.
 */
async function takeTurn(partition: number, { database, clock, config, metrics }: Container): Promise<Turn> {
  const result = await withRetry(database.pool, async (connection) => {
    await lockPartition(connection, partition);
    const work = await readWork(connection, partition, config.partitions, clock.now());
    const pointsOf = groupBySensor(work.rows);
    const states = await loadSensors(connection, [...new Set([...pointsOf.keys(), ...work.dueSensorIds])]);
    const availability = await readAvailability(connection, earliestSilence(states, work.rows), work.rows);
    // Read last: a process may stand still between any two lines, and what it has in hand must not lie in its future.
    const nowMs = clock.now();
    const due = new Set(work.dueSensorIds);
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
    const computed = (await loadServices(connection, [...pointsOf.keys()])).map((service) =>
      new ServiceActor(service).onDataPoints(pointsFor(service, work.rows), nowMs),
    );
    const { partitions, events } = await writeServiceResults(connection, computed, config.partitions, nowMs);
    await deleteRows(connection, work.rows);
    return { rings: written.rings, partitions, events: written.events + events, more: work.more, results };
  });
  metrics.turns.inc({ outcome: result.results.length > 0 ? 'evaluated' : 'idle' });
  for (const { changes } of result.results) {
    for (const firing of changes.firings) metrics.firings.inc({ reason: firing.reason });
  }
  return { ...result, decided: result.results.flatMap(({ changes }) => changes.decisions) };
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
function earliestSilence(states: Map<number, SensorState>, rows: InboxRow[]): number {
  let earliest = Number.MAX_SAFE_INTEGER;
  for (const { triggers } of states.values()) {
    for (const { state } of triggers) earliest = Math.min(earliest, state.silentSinceMs ?? earliest);
  }
  for (const row of rows) earliest = Math.min(earliest, row.receivedMs);
  return earliest;
}
