import type { Commit } from './database/simulated-database';
import type { Link, Selection } from './history';

/** The links that a selector has made, by the commits that added them. */
export function linksOf(selection: Selection | null, commits: readonly Commit[]): Link[] {
  if (selection === null) return [];
  const { rule, notificationIds, late } = selection;
  return commits.flatMap(({ atMs, changes }) =>
    changes.flatMap(({ table, before, after }): Link[] => {
      if (table !== 'sensor_triggers' || before || after?.trigger_id !== rule.triggerId) return [];
      const [sensorTriggerId, sensorId] = [Number(after.id), Number(after.sensor_id)];
      return [{ sensorTriggerId, sensorId, rule, notificationIds, late, sinceMs: atMs, mutedUntilMs: null }];
    }),
  );
}
