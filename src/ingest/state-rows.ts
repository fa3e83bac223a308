import type { PoolConnection } from 'mysql2/promise';
import { slices } from '../database/slices';
import type { TriggerState } from '../domain/trigger-state';

/** What a sensor trigger remembered before a turn and after it. */
export interface StateChange {
  sensorTriggerId: number;
  sensorId: number;
  triggerId: number;
  before: TriggerState;
  state: TriggerState;
}

type Column = readonly [name: string, read: (state: TriggerState) => unknown];

const SEEN: readonly Column[] = [
  ['last_data_value', ({ lastValue }) => lastValue],
  ['last_date_ms', ({ lastDateMs }) => lastDateMs],
];
const OTHERS: readonly Column[] = [
  ['last_triggered_ms', ({ lastTriggeredMs }) => lastTriggeredMs],
  ['times_triggered', ({ timesTriggered }) => timesTriggered],
  ['last_error', ({ lastError }) => lastError?.slice(0, 1000) ?? null],
  ['inactive_since_ms', ({ inactiveSinceMs }) => inactiveSinceMs],
  ['due_at_ms', ({ dueAtMs }) => dueAtMs],
];

/**
 * Writes states, many at a time. Most points only become the last one; writing these two columns takes MySQL three quarters of
 * the time that all seven take (measured for 1,000 rows).
 */
export async function writeStates(connection: PoolConnection, changes: readonly StateChange[]): Promise<void> {
  const seen: StateChange[] = [];
  const others: StateChange[] = [];
  for (const change of changes) (OTHERS.every((column) => isSame(change, column)) ? seen : others).push(change);
  await write(connection, SEEN, seen);
  await write(connection, [...SEEN, ...OTHERS], others);
}

function isSame({ before, state }: StateChange, [, read]: Column): boolean {
  return read(before) === read(state);
}

/** The rows exist, and their partitions are locked, so this only ever updates. */
async function write(
  connection: PoolConnection,
  columns: readonly Column[],
  changes: readonly StateChange[],
): Promise<void> {
  const names = columns.map(([name]) => name);
  const rows = changes.map(({ sensorTriggerId, sensorId, triggerId, state }) => [
    sensorTriggerId,
    sensorId,
    triggerId,
    0,
    ...columns.map(([, read]) => read(state)),
  ]);
  for (const slice of slices(rows)) {
    await connection.query(
      `INSERT INTO sensor_triggers (id, sensor_id, trigger_id, created_ms, ${names.join()}) VALUES ?
       ON DUPLICATE KEY UPDATE ${names.map((name) => `${name} = VALUES(${name})`).join()}`,
      [slice],
    );
  }
}
