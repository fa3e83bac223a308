import { isOwedAnEnd, readSentFirings, sentKey } from '../../notifications';
import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';

const READ_AT_ONCE = 500;

/** Sensor triggers with an episode of which a notification got a firing, and no end since. */
export async function findOwed(
  run: RunSql,
  notificationIds: readonly number[],
  sensorTriggerIds: readonly number[],
): Promise<number[]> {
  const owed = new Set<number>();
  for (const part of partsOf(notificationIds.length === 0 ? [] : sensorTriggerIds, READ_AT_ONCE)) {
    const first = await run(
      `SELECT e.id, st.id AS sensorTriggerId FROM sensor_triggers st
       JOIN triggers t ON t.id = st.trigger_id AND t.notify_resolved
       JOIN firings e ON e.sensor_trigger_id = st.id AND (e.fired_ms = st.episode_ms OR e.fired_ms = st.inactivity_episode_ms)
       WHERE st.id IN (?)`,
      [part],
    );
    const firingIds = first.map(({ id }) => Number(id));
    const sent = await readSentFirings(run, firingIds, notificationIds);
    for (const { id, sensorTriggerId } of first) {
      const isOwed = notificationIds.some((notificationId) =>
        isOwedAnEnd(sent.get(sentKey(Number(id), notificationId))),
      );
      if (isOwed) owed.add(Number(sensorTriggerId));
    }
  }
  return [...owed];
}
