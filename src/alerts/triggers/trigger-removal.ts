import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Sequelize, Transaction } from 'sequelize';
import type { RemovalStep } from '../../access/removal-step';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import type { DecisionLog } from '../evaluation/decision-log';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { firstToDisconnect } from '../firings/end-most';

const TRIGGERS_PER_STEP = 500;
/** A transaction that locks more sensor triggers would delay passes. */
const SENSORS_PER_STEP = 200;

/** Deletes the triggers of a closed account whose sensors are already deleted. */
export const deleteTriggers: RemovalStep = async (ownerId, edit) => {
  await edit.affects({ sensorIds: [] });
  return (
    (await Trigger.destroy({
      where: { ownerId },
      limit: TRIGGERS_PER_STEP,
      transaction: edit.transaction,
    })) > 0
  );
};

/**
 * Disconnects a trigger that is about to be deleted from its sensors in small transactions, until few of them are left.
 * Its episodes on these sensors end.
 */
export async function disconnectMost(
  sequelize: Sequelize,
  ends: DeliveredEnds,
  { id: triggerId, ownerId }: Pick<Trigger, 'id' | 'ownerId'>,
  nowMs: number,
): Promise<void> {
  const where = { triggerId };
  const hasMany = async (edit: ModelEdit) => {
    const { transaction } = edit;
    if ((await SensorTrigger.count({ where, transaction })) <= SENSORS_PER_STEP) return false;
    const some = await SensorTrigger.findAll({ where, limit: SENSORS_PER_STEP, order: ['sensorId'], transaction });
    const isInStep = await firstToDisconnect(
      edit.run,
      some.map(({ id }) => id),
    );
    const step = some.filter(({ id }) => isInStep.has(id));
    const sensorIds = step.map(({ sensorId }) => sensorId);
    await edit.affects({ sensorIds });
    const sensorTriggerIds = step.map(({ id }) => id);
    await ends.end(edit, { sensorTriggerIds });
    const deleted = await SensorTrigger.destroy({ where: { id: sensorTriggerIds }, transaction });
    await forgetDecisions(ownerId, sensorIds, nowMs, transaction);
    return deleted > 0;
  };
  while (await editRules(sequelize, hasMany));
}

/** Workers store decisions a moment after their pass, and give up after half of this time. */
const STORED_BY_MS = 60_000;

/**
 * Makes the purge delete the stored decisions about these sensors by sensor triggers that this transaction deletes, as
 * soon as no worker can still be storing any.
 */
export async function forgetDecisions(
  ownerId: number,
  sensorIds: readonly number[],
  nowMs: number,
  transaction: Transaction,
): Promise<void> {
  if (sensorIds.length === 0) return;
  const times = { createdMs: nowMs, retryAtMs: nowMs + STORED_BY_MS };
  const entries = sensorIds.map((thingId) => ({ kind: 'decisions' as const, thingId, ownerId, ...times }));
  await DeletedThing.bulkCreate(entries, { updateOnDuplicate: ['createdMs', 'retryAtMs'], transaction });
}

export type StoredDecisions = Pick<DecisionLog, 'keepOnly'>;

/** Deletes the stored decisions about a sensor by sensor triggers that are gone. Fails without Redis. */
export async function keepConnectedDecisions(pool: Pool, decisions: StoredDecisions, sensorId: number): Promise<void> {
  const [rows] = await pool.query<RowDataPacket[]>('SELECT id FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
  await decisions.keepOnly(
    sensorId,
    rows.map(({ id }) => Number(id)),
  );
}

/** True if a user has triggers. */
export async function hasTriggers(ownerId: number, transaction: Transaction): Promise<boolean> {
  return (await Trigger.count({ where: { ownerId }, transaction })) > 0;
}
