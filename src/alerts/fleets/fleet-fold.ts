import type { Pool, PoolConnection } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { PartitionLayout } from '../../points';
import { inPoolTransaction } from '../../storage/transaction';
import { readAvailability } from '../evaluation/inbox';
import { noNudges, type ServiceNudges, writeOutputs } from '../evaluation/service-outputs';
import { FleetMembers } from '../rules/fleet';
import {
  deleteChanges,
  lockFleet,
  readChanges,
  readMemberIds,
  readOpenEpisodes,
  readWaiting,
  type StoredFleet,
  type WaitingPoints,
} from './fleet-rows';
import { readStoredMembers } from './stored-members';

export interface FoldSetting {
  pool: Pool;
  clock: Pick<Clock, 'now'>;
  layout: Pick<PartitionLayout, 'count'>;
}

export type FoldOutcome = ServiceNudges & { hasMore: boolean };

/** A fleet writes at most one point in this time. */
export const POINT_MS = 1_000;
/** Changes and stored points that one transaction reads. */
const CHANGES_AT_ONCE = 200;
const UNREAD_AT_ONCE = 500;
const MAX_ERROR = 1_000;
const NOTHING_WAITS: WaitingPoints = { sensors: new Set(), sinceMs: Number.POSITIVE_INFINITY };

/**
 * One transaction: takes what passes have noted, and writes a point if the summary differs from the last one. Only this
 * writes the members, under the lock of the fleet. With more to read, nothing is summarised yet.
 */
export function foldFleet({ pool, clock, layout }: FoldSetting, id: number): Promise<FoldOutcome> {
  return inPoolTransaction(pool, async (connection): Promise<FoldOutcome> => {
    const fleet = await lockFleet(connection, id);
    const nowMs = clock.now();
    if (!fleet || fleet.writtenMs > nowMs - POINT_MS) return { ...noNudges(), hasMore: false };
    // First: points that a pass takes from the inbox meanwhile are among the changes that are read later.
    const isDue = fleet.nextDueMs !== null && fleet.nextDueMs <= nowMs;
    const waiting = isDue ? await readWaiting(connection, fleet.ownerId) : NOTHING_WAITS;
    const members = FleetMembers.decode(fleet.members);
    if (!(await takeAll(connection, fleet, members, nowMs))) return { ...noNudges(), hasMore: true };
    const summary = await summarise(connection, fleet, { members, waiting, nowMs });
    const nudges = await write(connection, fleet, summary, { partitionCount: layout.count, nowMs });
    await saveMembers(connection, fleet, members, summary);
    return { ...nudges, hasMore: false };
  });
}

/** Takes stored points of new members, then changes. Returns false if some may be left: the fleet is still due then. */
async function takeAll(
  connection: PoolConnection,
  fleet: StoredFleet,
  members: FleetMembers,
  nowMs: number,
): Promise<boolean> {
  const isDone =
    (await takeStored(connection, fleet, members, nowMs)) && (await takeChanges(connection, fleet, members));
  if (!isDone) await saveMembers(connection, fleet, members, { nextDueMs: 0 });
  return isDone;
}

async function takeChanges(connection: PoolConnection, fleet: StoredFleet, members: FleetMembers): Promise<boolean> {
  const changes = await readChanges(connection, fleet.id, CHANGES_AT_ONCE);
  for (const { version, changes: blob } of changes) if (version === fleet.version) members.fold(blob);
  await deleteChanges(connection, changes);
  return changes.length < CHANGES_AT_ONCE;
}

/** Compares the members with the inputs, and reads stored points of new ones. Returns false if some are left. */
async function takeStored(connection: PoolConnection, fleet: StoredFleet, members: FleetMembers, nowMs: number) {
  if (fleet.nextDueMs === 0) members.follow(await readMemberIds(connection, fleet.id), nowMs);
  if (fleet.readVersion !== fleet.version) members.forgetValues();
  const { unread } = members;
  const ids = unread.slice(0, UNREAD_AT_ONCE);
  members.read(ids, await readStoredMembers(connection, ids, fleet.settings.field, nowMs));
  return ids.length === unread.length;
}

interface Summary {
  nextDueMs: number | null;
  firingKey: string;
  output: string;
  error: string | null;
}

async function summarise(
  connection: PoolConnection,
  fleet: StoredFleet,
  { members, waiting, nowMs }: { members: FleetMembers; waiting: WaitingPoints; nowMs: number },
): Promise<Summary> {
  const { ownerId, settings, problem, hasTrigger } = fleet;
  const { inactiveAfter, triggerId } = settings;
  const { inactive, nextDueMs } = await countInactive(connection, members, { inactiveAfter, waiting, nowMs });
  const open =
    triggerId === 0
      ? { key: '', sensorIds: new Set<number>() }
      : await readOpenEpisodes(connection, ownerId, triggerId);
  const isGone = triggerId !== 0 && !hasTrigger;
  const error = problem ?? (isGone ? `the trigger ${triggerId} does not exist any more` : null);
  const output = JSON.stringify(members.output(open.sensorIds, inactive));
  return { nextDueMs, firingKey: open.key, output, error };
}

async function countInactive(
  connection: PoolConnection,
  members: FleetMembers,
  { inactiveAfter, waiting, nowMs }: { inactiveAfter: number; waiting: WaitingPoints; nowMs: number },
): Promise<{ inactive: number; nextDueMs: number | null }> {
  if (inactiveAfter === 0 || members.count === 0) return { inactive: 0, nextDueMs: null };
  const { availableUntilMs, outages } = await readAvailability(connection, members.oldestArrivalMs);
  const untilMs = Math.min(availableUntilMs, waiting.sinceMs);
  return members.inactivity({ nowMs, inactiveAfter, outages, availableUntilMs: untilMs, waiting: waiting.sensors });
}

/** The row of the service is locked and changed, so that no new subscriber misses the point. */
async function write(
  connection: PoolConnection,
  fleet: StoredFleet,
  { output, error }: Summary,
  at: { partitionCount: number; nowMs: number },
): Promise<ServiceNudges> {
  const { id, lastError } = fleet;
  const isNew = output !== fleet.output;
  if (!isNew && error === lastError) return noNudges();
  await connection.query('UPDATE services SET last_error = ?, version = version + 1 WHERE id = ?', [
    error?.slice(0, MAX_ERROR) ?? null,
    id,
  ]);
  if (!isNew) return noNudges();
  await connection.query('UPDATE fleets SET output = ?, written_ms = ? WHERE service_id = ?', [output, at.nowMs, id]);
  return writeOutputs(connection, [{ id, outputs: [{ value: output, dateMs: at.nowMs }] }], at);
}

async function saveMembers(
  connection: PoolConnection,
  fleet: StoredFleet,
  members: FleetMembers,
  { nextDueMs, firingKey = fleet.firingKey }: Pick<Summary, 'nextDueMs'> & Partial<Summary>,
): Promise<void> {
  const { id, version } = fleet;
  const isSame = nextDueMs === fleet.nextDueMs && firingKey === fleet.firingKey && version === fleet.readVersion;
  if (isSame && !members.hasChanged) return;
  const blob = members.hasChanged ? ', members = ?' : '';
  await connection.query(
    `UPDATE fleets SET next_due_ms = ?, firing_key = ?, read_version = ?${blob} WHERE service_id = ?`,
    [nextDueMs, firingKey, version, ...(members.hasChanged ? [members.encode()] : []), id],
  );
}
