import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import { FleetMembers, type MemberPoint } from '../rules/fleet';
import { fleetAfter, readChanges, readMemberIds, readWaiting, type StoredFleet } from './fleet-rows';
import { readStoredMembers } from './stored-members';

const SENSORS_AT_ONCE = 1_000;
const ALL_CHANGES = 1_000_000;

/** Counts each fleet again from stored points, in one snapshot, and finds those that differ. */
export async function* findWrongFleets(connection: PoolConnection, nowMs: number): AsyncGenerator<number> {
  for (let afterId = 0; ; ) {
    const fleet = await fleetAfter(connection, afterId);
    if (!fleet) return;
    if (!(await isRight(connection, fleet, nowMs))) yield fleet.id;
    afterId = fleet.id;
  }
}

async function isRight(connection: PoolConnection, fleet: StoredFleet, nowMs: number): Promise<boolean> {
  const { id, nextDueMs, version, readVersion } = fleet;
  // Members that are still to be compared or read.
  if (nextDueMs === 0 || version !== readVersion) return true;
  const members = FleetMembers.decode(fleet.members);
  if ((await readMemberIds(connection, id)).join() !== members.ids.join()) return false;
  const changes = await readChanges(connection, id, ALL_CHANGES);
  if (changes.length === 0 && !isSummaryOf(fleet.output, members)) return false;
  for (const change of changes) if (change.version === version) members.fold(change.changes);
  const { sensors: waiting } = await readWaiting(connection, fleet.ownerId);
  const settled = members.points.filter(({ sensorId }) => !waiting.has(sensorId));
  for (const part of partsOf(settled, SENSORS_AT_ONCE)) {
    if (!(await arePresent(connection, part, fleet, nowMs))) return false;
  }
  return true;
}

/** A point that was deleted, or is past its retention, stays in the summary until the next one. */
async function arePresent(
  connection: PoolConnection,
  members: readonly MemberPoint[],
  { settings }: StoredFleet,
  nowMs: number,
): Promise<boolean> {
  const ids = members.map(({ sensorId }) => sensorId);
  const [storing] = await connection.query<RowDataPacket[]>(
    'SELECT id FROM sensors WHERE id IN (?) AND use_data_storage',
    [ids],
  );
  const stored = await readStoredMembers(
    connection,
    storing.map(({ id }) => Number(id)),
    settings.field,
    nowMs,
  );
  return members.every(({ sensorId, dateMs, value }) => {
    const point = stored.get(sensorId);
    if (!point || point.dateMs < dateMs) return true;
    return point.dateMs === dateMs && Object.is(point.value, value);
  });
}

function isSummaryOf(text: string, members: FleetMembers): boolean {
  if (text === '') return false;
  const output = JSON.parse(text);
  const expected = members.output(new Set(), output.silent);
  return JSON.stringify({ ...output, firing: 0 }) === JSON.stringify(expected);
}
