import type { Sequelize } from 'sequelize';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { editRules, type ModelEdit } from '../../trigger-store/rule-edit';
import type { RemovalStep } from '../accounts/account-removal';
import { forgetDecisions } from './forgotten-decisions';

const TRIGGERS_PER_STEP = 500;
/** A transaction that locks more sensor triggers would delay passes. */
const SENSORS_PER_STEP = 500;

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

/** Disconnects a trigger that is about to be deleted from its sensors in small transactions, until few of them are left. */
export async function disconnectMost(sequelize: Sequelize, triggerId: number, nowMs: number): Promise<void> {
  const where = { triggerId };
  const hasMany = async (edit: ModelEdit) => {
    const { transaction } = edit;
    if ((await SensorTrigger.count({ where, transaction })) <= SENSORS_PER_STEP) return false;
    const step = await SensorTrigger.findAll({ where, limit: SENSORS_PER_STEP, order: ['sensorId'], transaction });
    const sensorIds = step.map(({ sensorId }) => sensorId);
    await edit.affects({ sensorIds });
    const deleted = await SensorTrigger.destroy({ where: { id: step.map(({ id }) => id) }, transaction });
    await forgetDecisions(sensorIds, nowMs, transaction);
    return deleted > 0;
  };
  while (await editRules(sequelize, hasMany));
}
