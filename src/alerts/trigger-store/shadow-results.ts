import type { PoolConnection } from 'mysql2/promise';
import { issueSlices, slices, valuesById } from '../../storage/slices';
import { runOn } from '../../storage/transaction';
import type { EpisodeCause } from '../rules/episode';
import type { SensorFiring, ShadowEntry } from '../rules/sensor-state';
import { endShadowEpisodes } from './shadow-states';

/** What the shadows on a sensor have done in a pass. */
export interface ShadowResult {
  sensorId: number;
  states: readonly ShadowStateChange[];
  firings: readonly ShadowFiring[];
  ends: readonly ShadowEnd[];
}

interface ShadowStateChange {
  entry: ShadowEntry;
  memory: string;
  dueMs: number;
}

interface ShadowFiring {
  shadowId: number;
  firing: SensorFiring;
}

interface ShadowEnd {
  shadowId: number;
  sensorTriggerId: number;
  cause: EpisodeCause;
  beganMs: number;
}

const STATES_PER_STATEMENT = 125;

/** Writes what shadows have done, to their own tables only. Call it in the transaction of the pass. */
export async function writeShadows(
  connection: PoolConnection,
  results: readonly ShadowResult[],
  nowMs: number,
): Promise<void> {
  if (results.length === 0) return;
  const states = results.flatMap((result) => result.states);
  const begun = states.filter(({ entry }) => entry.memory === null).map(({ entry }) => entry.sensorTriggerId);
  await Promise.all([
    endShadowEpisodes(runOn(connection), begun, nowMs),
    writeStates(connection, states),
    writeFirings(connection, results),
  ]);
  const ended = results.flatMap(({ ends }) => ends.map(keyOf));
  await issueSlices(ended, (slice) =>
    connection.query(
      `UPDATE shadow_firings SET ended_ms = ?
       WHERE (shadow_id, fired_ms, sensor_trigger_id, reason) IN (?) AND ended_ms IS NULL`,
      [nowMs, slice],
    ),
  );
}

function keyOf({ shadowId, beganMs, sensorTriggerId, cause }: ShadowEnd) {
  return [shadowId, beganMs, sensorTriggerId, cause] as const;
}

/** Call it after the commit. */
export function keepShadows(results: readonly ShadowResult[]): void {
  for (const { states } of results) for (const { entry, memory } of states) entry.memory = memory;
}

function writeStates(connection: PoolConnection, states: readonly ShadowStateChange[]): Promise<void> {
  const rows = states.map(({ entry, memory, dueMs }) => [entry.sensorTriggerId, memory, dueMs] as const);
  const issue = (slice: typeof rows) => {
    const ids = slice.map(([id]) => id);
    const columns = { state: slice.map(([, memory]) => memory), due_ms: slice.map(([, , dueMs]) => dueMs) };
    const set = valuesById(ids, columns);
    return connection.query(`UPDATE shadow_states SET ${set.sql} WHERE id IN (?)`, [...set.values, ids]);
  };
  return issueSlices(rows, issue, STATES_PER_STATEMENT);
}

async function writeFirings(connection: PoolConnection, results: readonly ShadowResult[]): Promise<void> {
  const rows = results.flatMap(({ sensorId, firings }) =>
    firings.map(({ shadowId, firing }) => {
      const { firedMs, sensorTriggerId, reason, episodeMs, isMuted, variables } = firing;
      const about = [shadowId, firedMs, sensorTriggerId, reason, sensorId, episodeMs, isMuted];
      return [...about, JSON.stringify(variables)];
    }),
  );
  for (const slice of slices(rows)) {
    await connection.query(
      `INSERT INTO shadow_firings
         (shadow_id, fired_ms, sensor_trigger_id, reason, sensor_id, episode_ms, is_muted, variables) VALUES ?`,
      [slice],
    );
  }
}
