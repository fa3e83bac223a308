import type { PoolConnection } from 'mysql2/promise';
import { issueSlices, valuesById } from '../../storage/slices';
import { type RunSql, runOn } from '../../storage/transaction';
import type { Episode } from '../rules/episode';
import type { StateChange } from '../rules/sensor-state';
import type { TriggerState } from '../rules/trigger-state';
import { hasSameEpisodes } from '../rules/trigger-state';
import { STATES_PER_STATEMENT } from './state-buffer';
import type { PassBuffer } from './write-behind-buffer';

type Column = readonly [name: string, read: (state: TriggerState) => unknown];

const SEEN: readonly Column[] = [
  ['last_data_value', ({ lastValue }) => lastValue],
  ['last_date_ms', ({ lastDateMs }) => lastDateMs],
];
const FIRED: readonly Column[] = [
  ['last_triggered_ms', ({ lastTriggeredMs }) => lastTriggeredMs],
  ['times_triggered', ({ timesTriggered }) => timesTriggered],
  ['last_error', ({ lastError }) => lastError?.slice(0, 1000) ?? null],
  ['inactive_since_ms', ({ inactiveSinceMs }) => inactiveSinceMs],
  ['due_at_ms', ({ dueAtMs }) => dueAtMs],
];
const EPISODES: readonly Column[] = [
  ['state_since_ms', ({ stateSinceMs }) => stateSinceMs],
  ['pending_since_ms', ({ pendingSinceMs }) => pendingSinceMs],
  ['clear_since_ms', ({ clearSinceMs }) => clearSinceMs],
  ['condition_due_ms', ({ conditionDueMs }) => conditionDueMs],
  ...columnsOf('episode', ({ episode }) => episode),
  ...columnsOf('inactivity_episode', ({ inactivityEpisode }) => inactivityEpisode),
];

/**
 * Most points change only the last value and date, which go to the write-behind buffer under load. Episodes are written
 * when they begin, continue or end.
 */
export async function writeStates(
  connection: PoolConnection,
  changes: readonly StateChange[],
  buffer: PassBuffer,
): Promise<void> {
  // The buffer takes the newer of two dates: where a date is not newer, the former point must not wait in it.
  const setBack = changes.filter(isNotNewer);
  const sensorIds = setBack.map(({ sensorId }) => sensorId);
  if (sensorIds.length > 0) await buffer.flushFor(connection, sensorIds);
  const seen: StateChange[] = [];
  const fired: StateChange[] = [];
  const episodes: StateChange[] = [];
  for (const change of changes) {
    if (!hasSameEpisodes(change.before, change.state)) episodes.push(change);
    else (FIRED.every((column) => isSame(change, column)) && !setBack.includes(change) ? seen : fired).push(change);
  }
  const { rest, written } = buffer.write(connection, seen);
  await Promise.all([
    written,
    writeSeen(connection, rest),
    write(runOn(connection), [...SEEN, ...FIRED], fired),
    writeWholeStates(runOn(connection), episodes),
  ]);
}

/** Past the write-behind buffer: call it when nothing of these sensors is buffered. */
export function writeWholeStates(run: RunSql, changes: readonly StateChange[]): Promise<void> {
  return write(run, [...SEEN, ...FIRED, ...EPISODES], changes);
}

function columnsOf(prefix: string, read: (state: TriggerState) => Episode | null): Column[] {
  return [
    [`${prefix}_ms`, (state) => read(state)?.beganMs ?? null],
    [`${prefix}_fired_ms`, (state) => read(state)?.firedMs ?? null],
    [`${prefix}_acknowledged`, (state) => read(state)?.isAcknowledged ?? false],
    [`${prefix}_announced`, (state) => read(state)?.isAnnounced ?? false],
  ];
}

/** True if the last point has changed, and not to a later date. */
function isNotNewer({ before, state }: StateChange): boolean {
  const [was, is] = [before.lastDateMs ?? 0, state.lastDateMs ?? 0];
  return is < was || (is === was && state.lastValue !== before.lastValue);
}

function isSame({ before, state }: StateChange, [, read]: Column): boolean {
  return read(before) === read(state);
}

/**
 * Writes only the last value and date. 1,000 rows take 5.0 ms of MySQL's processor time and 1.1 ms of this process; a
 * single statement takes 6.8 ms of MySQL, the statement of `write` 6.6 ms, and its five extra columns 8 ms.
 */
async function writeSeen(connection: PoolConnection, changes: readonly StateChange[]): Promise<void> {
  const rows = changes.map(
    ({ sensorTriggerId, state }) => [sensorTriggerId, state.lastValue, state.lastDateMs] as const,
  );
  const issue = (slice: typeof rows) => {
    const ids = slice.map(([id]) => id);
    const seen = valuesById(ids, {
      last_data_value: slice.map(([, value]) => value),
      last_date_ms: slice.map(([, , dateMs]) => dateMs),
    });
    return connection.query(`UPDATE sensor_triggers SET ${seen.sql} WHERE id IN (?)`, [...seen.values, ids]);
  };
  await issueSlices(rows, issue, STATES_PER_STATEMENT);
}

/** The rows exist and their partitions are locked, so this only updates. */
async function write(run: RunSql, columns: readonly Column[], changes: readonly StateChange[]): Promise<void> {
  const names = columns.map(([name]) => name);
  const rows = changes.map(({ sensorTriggerId, sensorId, triggerId, state }) => [
    sensorTriggerId,
    sensorId,
    triggerId,
    0,
    ...columns.map(([, read]) => read(state)),
  ]);
  await issueSlices(rows, (slice) =>
    run(
      `INSERT INTO sensor_triggers (id, sensor_id, trigger_id, created_ms, ${names.join()}) VALUES ?
       ON DUPLICATE KEY UPDATE ${names.map((name) => `${name} = VALUES(${name})`).join()}`,
      [slice],
    ),
  );
}
