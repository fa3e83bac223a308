import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { type NewEvent, raiseEvents } from '../events/event-log';
import { BatchBuilder, groupBySensor, type WaitingPoint } from '../inbox/inbox-batch';
import { insertBatches } from '../inbox/inbox-rows';
import { addRows, insertPoints, type PointRows } from '../intake/data-point-rows';
import { readTargets } from '../intake/upload-targets';
import { partsOf } from '../rules/parts-of';
import type { ServiceInput } from '../sensor-services/sensor-service';
import { readSensorViewers } from '../storage/sensor-visibility';
import { slices } from '../storage/slices';
import { type RunSql, runOn } from '../storage/transaction';
import { appendChanges, type Change } from '../streams/change-log';
import { computeService, type ServiceChanges, type StoredService } from './actors/service.actor';
import type { PassClock } from './pass-clock';

/** Number of services in memory at the same time: their memories may be large. */
const SERVICES_AT_ONCE = 20;
const TOO_EXPENSIVE = 'too expensive: the services of one point took too long, and this one was not computed';

/**
 * Runs the services that these points feed, in the transaction of the pass. A service that is reached when no
 * time is left records that in its `last_error` and has no output for these points.
 */
export async function computeServices(
  connection: PoolConnection,
  points: readonly WaitingPoint[],
  fed: ReadonlySet<number>,
  { partitionCount, nowMs, passClock }: { partitionCount: number; nowMs: number; passClock: PassClock },
): Promise<ServiceNudges> {
  const serviceIds = [...fed].sort((a, b) => a - b);
  const all: ServiceNudges = { partitions: new Set(), eventUsers: [], isStreamed: false };
  const pointsOf = serviceIds.length > 0 ? groupBySensor(points) : new Map<number, WaitingPoint[]>();
  for (const ids of partsOf(serviceIds, SERVICES_AT_ONCE)) {
    const services = await loadServices(connection, ids);
    const results: ServiceChanges[] = [];
    for (const service of services) results.push(await compute(service, pointsOf, nowMs, passClock));
    const written = await writeServiceResults(connection, results, partitionCount, nowMs);
    for (const partition of written.partitions) all.partitions.add(partition);
    all.eventUsers.push(...written.eventUsers);
    all.isStreamed ||= written.isStreamed;
  }
  return all;
}

async function compute(
  service: StoredService,
  pointsOf: ReadonlyMap<number, WaitingPoint[]>,
  nowMs: number,
  passClock: PassClock,
): Promise<ServiceChanges> {
  const { id, ownerId, memory } = service;
  if (passClock.isOver(ownerId)) return { id, memory, lastError: TOO_EXPENSIVE, outputs: [] };
  let changes: ServiceChanges = { id, memory, lastError: null, outputs: [] };
  passClock.measure(ownerId, () => {
    changes = computeService(service, inputPoints(service, pointsOf), nowMs);
  });
  if (passClock.isYieldDue) await passClock.yield();
  return changes;
}

/** The points of a service's inputs, in date order. */
function inputPoints({ inputs }: StoredService, pointsOf: ReadonlyMap<number, WaitingPoint[]>): WaitingPoint[] {
  return inputs.flatMap(({ sensorId }) => pointsOf.get(sensorId) ?? []).sort((a, b) => a.dateMs - b.dateMs);
}

/** What a pass nudges after its commit. */
export interface ServiceNudges {
  /** Partitions of virtual sensors whose points a trigger or service waits for. */
  partitions: Set<number>;
  eventUsers: number[];
  /** True if a stream gets some of the outputs. */
  isStreamed: boolean;
}

/**
 * Loads and locks, until the end of the pass, the services that get points in it. The sensors of one service may be in
 * several partitions; the lock on the service's row makes it compute in one pass at a time.
 */
async function loadServices(connection: PoolConnection, serviceIds: number[]): Promise<StoredService[]> {
  if (serviceIds.length === 0) return [];
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT sv.id, s.owner_id AS ownerId, sv.name, sv.settings, sv.memory, sv.model, sv.last_error AS lastError
     FROM services sv JOIN sensors s ON s.id = sv.id WHERE sv.id IN (?) ORDER BY sv.id FOR UPDATE`,
    [serviceIds],
  );
  const inputs = await readServiceInputs(
    runOn(connection),
    rows.map((row) => Number(row.id)),
  );
  return rows.map((row) => ({
    id: Number(row.id),
    ownerId: Number(row.ownerId),
    name: String(row.name),
    settings: JSON.parse(row.settings),
    memory: JSON.parse(row.memory),
    model: row.model,
    lastError: row.lastError,
    inputs: inputs.get(Number(row.id)) ?? [],
  }));
}

/** The inputs of services by service id, without those that the owner of the service may no longer read. */
export async function readServiceInputs(
  run: RunSql,
  serviceIds: readonly number[],
): Promise<Map<number, ServiceInput[]>> {
  const inputs = new Map<number, ServiceInput[]>();
  if (serviceIds.length === 0) return inputs;
  const rows = await run(
    `SELECT i.service_id AS serviceId, i.data_fields AS fields, s.id AS sensorId, s.name, s.data_type AS dataType,
            s.owner_id AS sensorOwner, v.owner_id AS serviceOwner
     FROM service_inputs i JOIN sensors s ON s.id = i.sensor_id JOIN sensors v ON v.id = i.service_id
     WHERE i.service_id IN (?) ORDER BY i.service_id, i.sensor_id`,
    [serviceIds],
  );
  const foreign = rows.filter((row) => row.sensorOwner !== row.serviceOwner);
  const viewers = await readSensorViewers(
    run,
    foreign.map((row) => Number(row.sensorId)),
    foreign.map((row) => Number(row.serviceOwner)),
  );
  for (const row of rows) {
    const isOwn = row.sensorOwner === row.serviceOwner;
    if (!isOwn && !viewers.has(`${row.sensorId} ${row.serviceOwner}`)) continue;
    const input = {
      sensorId: Number(row.sensorId),
      sensorName: String(row.name),
      dataType: String(row.dataType),
      fields: JSON.parse(String(row.fields)),
    };
    inputs.set(Number(row.serviceId), [...(inputs.get(Number(row.serviceId)) ?? []), input]);
  }
  return inputs;
}

/**
 * Writes the memories of services, and their outputs like any upload: points, and inbox batches where there are
 * subscribers.
 */
async function writeServiceResults(
  connection: PoolConnection,
  results: readonly ServiceChanges[],
  partitions: number,
  nowMs: number,
): Promise<ServiceNudges> {
  const nudges: ServiceNudges = { partitions: new Set(), eventUsers: [], isStreamed: false };
  if (results.length === 0) return nudges;
  await writeMemories(connection, results);
  const writing = results.filter(({ outputs }) => outputs.length > 0);
  if (writing.length === 0) return nudges;
  const ids = writing.map(({ id }) => id);
  const targets = await readTargets(connection, ids, { locked: true });
  const { points, inbox, arrivals, events } = rowsOfOutputs(writing, targets, partitions, nowMs);
  await insertPoints(connection, points);
  await insertBatches(connection, inbox, nowMs);
  if (arrivals.length > 0) await appendChanges(connection, arrivals, nowMs);
  nudges.isStreamed = arrivals.length > 0;
  nudges.partitions = inbox.partitions;
  nudges.eventUsers = await raiseEvents(runOn(connection), events, nowMs);
  return nudges;
}

/** The rows that outputs become: points, inbox batches, entries of the change log, and events. */
function rowsOfOutputs(
  writing: readonly ServiceChanges[],
  targets: Awaited<ReturnType<typeof readTargets>>,
  partitions: number,
  nowMs: number,
) {
  const points: PointRows = { replacing: [], added: [] };
  const inbox = new BatchBuilder(partitions);
  const arrivals: Change[] = [];
  const events: NewEvent[] = [];
  for (const { id, outputs } of writing) {
    const target = targets.get(id);
    if (!target) continue;
    if (target.stores) addRows(points, { sensorId: id, points: outputs, receivedMs: nowMs });
    if (target.stores && target.streamed) {
      arrivals.push({ kind: 'sensor', thingId: id, items: outputs.map(({ dateMs }) => dateMs) });
    }
    if (target.evaluated) for (const output of outputs) inbox.add(target.ownerId, id, output, nowMs);
    events.push({ name: 'add_sensor_data', subjectId: id, userId: target.ownerId });
  }
  return { points, inbox, arrivals, events };
}

/**
 * The rows exist and are locked, so this only ever updates: one statement for many of them. Each row is changed, so
 * that on a cluster a pass and a change of the subscribers of its outputs cannot both commit without one having seen
 * the other.
 */
async function writeMemories(connection: PoolConnection, results: readonly ServiceChanges[]): Promise<void> {
  const rows = results.map(({ id, memory, lastError }) => {
    return [id, '', '', 0, JSON.stringify(memory), lastError?.slice(0, 1000) ?? null];
  });
  for (const slice of slices(rows)) {
    await connection.query(
      `INSERT INTO services (id, name, settings, created_ms, memory, last_error) VALUES ?
       ON DUPLICATE KEY UPDATE memory = VALUES(memory), last_error = VALUES(last_error), version = version + 1`,
      [slice],
    );
  }
}
