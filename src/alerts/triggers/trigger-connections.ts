import type { ModelEdit } from '../../access/rule-edit';
import type { EventLog } from '../../events/event-log';
import { dueBucketOf } from '../../storage/due-buckets';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { watchInactivity } from '../trigger-store/inactivity-watch';
import { beginShadows, endShadowEpisodes } from '../trigger-store/shadow-states';
import { forgetDecisions } from './trigger-removal';

/** A data point is evaluated by all of them. */
export const MAX_TRIGGERS_OF_A_SENSOR = 100;

export interface Occasion {
  events: EventLog;
  ends: DeliveredEnds;
  userId: number;
  nowMs: number;
}

/** Connects all triggers to all sensors, active from now on. The edit has locked them, and none is connected yet. */
export async function connectTriggers(
  edit: ModelEdit,
  { sensorIds, triggerIds, bySelector }: { sensorIds: number[]; triggerIds: number[]; bySelector: boolean },
  { events, userId, nowMs }: Occasion,
): Promise<SensorTrigger[]> {
  const { transaction } = edit;
  const pairs = sensorIds.flatMap((sensorId) => triggerIds.map((triggerId) => ({ sensorId, triggerId })));
  const rows = pairs.map((pair) => ({ ...pair, dueBucket: dueBucketOf(pair.sensorId), createdMs: nowMs, bySelector }));
  await edit.affects({ sensorIds });
  await SensorTrigger.bulkCreate(rows, { transaction });
  const created = await SensorTrigger.findAll({ where: { sensorId: sensorIds, triggerId: triggerIds }, transaction });
  await watchInactivity(edit, created, nowMs);
  await beginShadows(edit, { sensorTriggerIds: created.map(({ id }) => id) }, nowMs);
  const added = { name: 'add_sensor_trigger', userId } as const;
  await events.raise(
    transaction,
    pairs.map(({ sensorId, triggerId }) => ({ ...added, subjectId: triggerId, sourceId: sensorId })),
  );
  return created;
}

/** Disconnects locked sensor triggers. Their episodes end as by an edit. */
export async function disconnectTriggers(
  edit: ModelEdit,
  sensorTriggers: readonly SensorTrigger[],
  { events, ends, userId, nowMs }: Occasion,
): Promise<void> {
  const { transaction } = edit;
  const sensorTriggerIds = sensorTriggers.map(({ id }) => id);
  await ends.end(edit, { sensorTriggerIds });
  await endShadowEpisodes(edit.run, sensorTriggerIds, nowMs);
  await SensorTrigger.destroy({ where: { id: sensorTriggerIds }, transaction });
  await forgetDecisions(userId, [...new Set(sensorTriggers.map(({ sensorId }) => sensorId))], nowMs, transaction);
  const removed = { name: 'remove_sensor_trigger', userId } as const;
  await events.raise(
    transaction,
    sensorTriggers.map(({ sensorId, triggerId }) => ({ ...removed, subjectId: triggerId, sourceId: sensorId })),
  );
}
