import type { Commit } from '../database/simulated-database';
import type { History } from '../history';
import { SELECTED_KIND } from '../scenario';
import { nameOf } from './commits';
import { lateness } from './inactivities';

/** Promised while a worker is alive. */
const FOLLOWED_MS = 10_000;

/** A sensor as the commits say. */
interface Followed {
  isSelected: boolean;
  /** Its sensor triggers of the rule with the selector. */
  connections: Set<number>;
  /** Since when it is connected although it does not match, or the other way round. */
  wrongSinceMs: number | null;
}

/**
 * A sensor is connected by the selector only while it matches, once, and disconnected only while it does not; either
 * soon after the commit that changed its metatags.
 */
export function judgeSelectors(history: History): string[] {
  if (history.selection === null) return [];
  const { triggerId } = history.selection.rule;
  const faults: string[] = [];
  const sensors = new Map<number, Followed>();
  for (const commit of history.commits) {
    for (const [sensorId, sensor] of changedIn(commit, triggerId, sensors)) {
      const why = whyWrong(history, commit, sensor);
      if (why) faults.push(`sensor ${sensorId}: ${why} (${nameOf(commit)})`);
      const isRight = sensor.isSelected === sensor.connections.size > 0;
      if (isRight) sensor.wrongSinceMs = null;
      else sensor.wrongSinceMs ??= commit.atMs;
    }
  }
  for (const [sensorId, { wrongSinceMs, isSelected }] of sensors) {
    const why = wrongSinceMs === null ? null : lateness(history, wrongSinceMs, history.activeUntilMs, FOLLOWED_MS);
    if (why) faults.push(`sensor ${sensorId}: ${stateOf(isSelected)} at the end, ${why}`);
  }
  return faults;
}

/** The sensors that a commit tags, connects or disconnects, as they are after it. */
function changedIn(
  { changes }: Commit,
  triggerId: number,
  sensors: Map<number, Followed>,
): Map<number, Followed & { wasConnected: boolean }> {
  const changed = new Map<number, Followed & { wasConnected: boolean }>();
  const find = (id: unknown) => {
    const sensorId = Number(id);
    const sensor = sensors.get(sensorId) ?? { isSelected: false, connections: new Set<number>(), wrongSinceMs: null };
    sensors.set(sensorId, sensor);
    const wasConnected = changed.get(sensorId)?.wasConnected ?? sensor.connections.size > 0;
    changed.set(sensorId, Object.assign(sensor, { wasConnected }));
    return sensor;
  };
  for (const { table, before, after } of changes) {
    const row = after ?? before;
    if (table === 'metatags' && row?.name === 'kind') {
      const sensor = find(row.sensor_id);
      // Replacing a value deletes its row and inserts another.
      if (after) sensor.isSelected = after.value === JSON.stringify(SELECTED_KIND);
      else if (!isTagged(changes, row.sensor_id)) sensor.isSelected = false;
    }
    if (table !== 'sensor_triggers' || row?.trigger_id !== triggerId) continue;
    if (!before) find(row.sensor_id).connections.add(Number(row.id));
    else if (!after) find(row.sensor_id).connections.delete(Number(row.id));
  }
  return changed;
}

function isTagged(changes: Commit['changes'], sensorId: unknown): boolean {
  return changes.some(
    ({ table, after }) => table === 'metatags' && after?.sensor_id === sensorId && after?.name === 'kind',
  );
}

function stateOf(isSelected: boolean): string {
  return isSelected ? 'not connected' : 'still connected';
}

function whyWrong(
  history: History,
  { beganMs }: Commit,
  { isSelected, connections, wrongSinceMs, wasConnected }: Followed & { wasConnected: boolean },
): string | null {
  if (connections.size > 1) return 'connected twice';
  const isConnected = connections.size > 0;
  if (isConnected && !wasConnected && !isSelected) return 'connected although it does not match';
  if (!isConnected && wasConnected && isSelected) return 'disconnected although it matches';
  const why = wrongSinceMs === null ? null : lateness(history, wrongSinceMs, beganMs, FOLLOWED_MS);
  return why === null ? null : `${stateOf(!isSelected)}, ${why}`;
}
