import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { labelsNamedIn, mayHaveLabels } from '../../language/labels';
import type { RetentionDays } from '../../platform/retention';
import { readLabels } from '../../storage/labels';
import { slices } from '../../storage/slices';
import { runOn } from '../../storage/transaction';
import type { ServiceChanges, StoredService } from './actors/service.actor';
import type { PassClock } from './pass-clock';
import { readServiceInputs } from './service-inputs';

/** The memory is still the stored text, up to 2 MB. */
export type ClosedService = Omit<StoredService, 'memory'> & { memory: string };

export interface ServiceResult extends Pick<ServiceChanges, 'id' | 'lastError' | 'outputs'> {
  ownerId: number;
  /** Absent if it has not changed. */
  memory?: ServiceChanges['memory'];
}

/** `memory` is left out if it has not changed. */
export function resultOf(
  { id, ownerId, memory: before }: ClosedService | StoredService,
  { memory = before, lastError, outputs = [] }: Partial<ServiceChanges> & Pick<ServiceChanges, 'lastError'>,
): ServiceResult {
  return { id, ownerId, lastError, outputs, ...(memory !== before && { memory }) };
}

const NOBODY = 0;

/** Settings that may name labels. In their JSON, a line break before a name would be a part of the name. */
function textOf({ settings }: RowDataPacket): string {
  return settings.includes('label') ? Object.values(JSON.parse(settings)).join('\n') : '';
}

/**
 * Locks services until the end of the pass: their sensors may be in several partitions, and a service computes in one
 * pass at a time. Leaves out disabled accounts, and memories of owners without time left; charges the others.
 */
export async function loadServices(
  connection: PoolConnection,
  serviceIds: number[],
  platformDays: RetentionDays,
  passClock: PassClock,
): Promise<ClosedService[]> {
  if (serviceIds.length === 0) return [];
  const unread = [NOBODY, ...passClock.overOwners];
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT sv.id, s.owner_id AS ownerId, s.name AS sensorName, sv.name, sv.settings, sv.model, sv.last_error AS lastError,
       IF(s.owner_id IN (?), '', sv.memory) AS memory,
       (SELECT u.disabled_ms FROM users u WHERE u.id = s.owner_id) AS disabledMs
     FROM services sv JOIN sensors s ON s.id = sv.id WHERE sv.id IN (?) ORDER BY sv.id FOR UPDATE`,
    [unread, serviceIds],
  );
  for (const { ownerId, memory } of rows) passClock.chargeBytes(Number(ownerId), String(memory).length);
  const enabled = rows.filter(({ disabledMs }) => disabledMs === null);
  const ids = enabled.map((row) => Number(row.id));
  const inputs = await readServiceInputs(runOn(connection), ids, platformDays);
  const naming = enabled.filter((row) => mayHaveLabels(textOf(row)));
  const labelled = await readLabels(
    runOn(connection),
    naming.map(({ id }) => Number(id)),
    labelsNamedIn(naming.map(textOf)),
  );
  return enabled.map((row) => ({
    id: Number(row.id),
    ownerId: Number(row.ownerId),
    name: String(row.name),
    settings: JSON.parse(row.settings),
    memory: String(row.memory),
    model: row.model,
    lastError: row.lastError,
    inputs: inputs.get(Number(row.id)) ?? [],
    ...(naming.includes(row) && {
      labels: { sensorName: String(row.sensorName), values: labelled.get(Number(row.id)) ?? new Map() },
    }),
  }));
}

/** Parses memories with pauses, at the cost of their owners. `tooMany`: services whose owner has no time left. */
export async function openMemories(
  stored: readonly ClosedService[],
  passClock: PassClock,
): Promise<{ services: StoredService[]; tooMany: ClosedService[] }> {
  const services: StoredService[] = [];
  const tooMany: ClosedService[] = [];
  for (const service of stored) {
    if (passClock.isOver(service.ownerId)) tooMany.push(service);
    else passClock.measure(service.ownerId, () => services.push({ ...service, memory: JSON.parse(service.memory) }));
    if (passClock.isYieldDue) await passClock.yield();
  }
  return { services, tooMany };
}

/**
 * The rows exist and are locked, so one statement updates many. It changes every row, so that on a cluster a pass and a
 * change of subscribers cannot both commit unseen by the other. Unchanged memories stay.
 */
export async function writeMemories(
  connection: PoolConnection,
  results: readonly ServiceResult[],
  passClock: PassClock,
): Promise<void> {
  const changed: unknown[][] = [];
  const others: unknown[][] = [];
  for (const { id, ownerId, memory, lastError } of results) {
    const error = lastError?.slice(0, 1000) ?? null;
    let text = '';
    if (memory !== undefined) passClock.measure(ownerId, () => (text = JSON.stringify(memory)));
    passClock.chargeBytes(ownerId, text.length);
    (memory === undefined ? others : changed).push([id, '', '', 0, error, text]);
    if (passClock.isYieldDue) await passClock.yield();
  }
  const write = async (rows: unknown[][], assignment: string) => {
    for (const slice of slices(rows)) {
      await connection.query(
        `INSERT INTO services (id, name, settings, created_ms, last_error, memory) VALUES ?
         ON DUPLICATE KEY UPDATE ${assignment}last_error = VALUES(last_error), version = version + 1`,
        [slice],
      );
    }
  };
  await write(changed, 'memory = VALUES(memory), ');
  await write(others, '');
}
