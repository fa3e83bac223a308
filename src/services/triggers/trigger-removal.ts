import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../../database/transaction';
import { SensorTrigger } from '../../models/sensor-trigger.model';
import { Trigger } from '../../models/trigger.model';
import type { RemovalStep } from '../accounts/account-removal';

const TRIGGERS_PER_STEP = 500;
/** A transaction that locks more sensor triggers would delay turns. */
const SENSORS_PER_STEP = 500;

/** Deletes the triggers of a closed account whose sensors are already deleted. */
export const deleteTriggers: RemovalStep = async (ownerId, transaction) =>
  (await Trigger.destroy({ where: { ownerId }, limit: TRIGGERS_PER_STEP, transaction })) > 0;

/** Disconnects a trigger that is about to be deleted from its sensors in small transactions, until few of them are left. */
export async function disconnectMost(sequelize: Sequelize, triggerId: number): Promise<void> {
  const where = { triggerId };
  const hasMany = async (transaction: Transaction) =>
    (await SensorTrigger.count({ where, transaction })) > SENSORS_PER_STEP &&
    (await SensorTrigger.destroy({ where, limit: SENSORS_PER_STEP, transaction })) > 0;
  while (await inTransaction(sequelize, hasMany));
}
