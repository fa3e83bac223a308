import type { PoolConnection } from 'mysql2/promise';
import { type NewEvent, raiseEvents } from '../../events/event-log';
import {
  addRows,
  appendChanges,
  BatchBuilder,
  type Change,
  type DataPoint,
  insertBatches,
  insertPoints,
  type PointRows,
  readTargets,
} from '../../points';
import { runOn } from '../../storage/transaction';

export interface ServiceNudges {
  /** Partitions of virtual sensors whose points a trigger or service waits for. */
  partitions: Set<number>;
  eventUsers: number[];
  isStreamed: boolean;
}

export interface ServiceOutput {
  id: number;
  outputs: readonly DataPoint[];
}

export function noNudges(): ServiceNudges {
  return { partitions: new Set(), eventUsers: [], isStreamed: false };
}

/**
 * Outputs are stored like uploads: points, and inbox batches where there are subscribers. The transaction has locked
 * and changed the rows of the services.
 */
export async function writeOutputs(
  connection: PoolConnection,
  written: readonly ServiceOutput[],
  { partitionCount, nowMs }: { partitionCount: number; nowMs: number },
): Promise<ServiceNudges> {
  const writing = written.filter(({ outputs }) => outputs.length > 0);
  if (writing.length === 0) return noNudges();
  const ids = writing.map(({ id }) => id);
  const targets = await readTargets(connection, ids, { locked: true });
  const { points, inbox, arrivals, events } = rowsOfOutputs(writing, targets, partitionCount, nowMs);
  await insertPoints(connection, points);
  await insertBatches(connection, inbox, nowMs);
  if (arrivals.length > 0) await appendChanges(connection, arrivals, nowMs);
  const eventUsers = await raiseEvents(runOn(connection), events, nowMs);
  return { partitions: inbox.partitions, eventUsers, isStreamed: arrivals.length > 0 };
}

function rowsOfOutputs(
  writing: readonly ServiceOutput[],
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
