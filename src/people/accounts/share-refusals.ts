import type { Transaction } from 'sequelize';
import { Forbidden, NotFound } from '../../platform/errors';
import { RefusedShare } from '../../storage/models/refused-share.model';
import type { Sensor } from '../../storage/models/sensor.model';
import { User } from '../../storage/models/user.model';
import { UserBlock } from '../../storage/models/user-block.model';
import { forShare } from '../../storage/transaction';

/**
 * Throws Forbidden if the user refuses the owner's shares, or this sensor. Until the end of the transaction the user
 * cannot block a user or be deleted; lock them before the sensor.
 */
export async function requireAcceptance(userId: number, sensor: Sensor, transaction: Transaction): Promise<void> {
  const { id: sensorId, ownerId } = sensor;
  if (await isBlocked(userId, ownerId, transaction)) throw new Forbidden('this user takes no sensors from you');
  if (await RefusedShare.findOne({ where: { userId, sensorId }, transaction })) {
    throw new Forbidden('this user removed themselves from the sensor, and has not allowed you to share it again');
  }
}

export async function isBlocked(userId: number, otherId: number, transaction: Transaction): Promise<boolean> {
  return (await UserBlock.findOne({ where: { userId, blockedId: otherId }, transaction })) !== null;
}

/** The owner may share it again. Throws Forbidden if the user blocks them. */
export async function endRefusal(userId: number, { id, ownerId }: Sensor, transaction: Transaction): Promise<void> {
  if (await isBlocked(userId, ownerId, transaction)) {
    throw new Forbidden('you block the owner of this sensor: unblock them first');
  }
  await RefusedShare.destroy({ where: { userId, sensorId: id }, transaction });
}

/** Throws NotFound if the user has been deleted. */
export async function lockReader(userId: number, transaction: Transaction): Promise<void> {
  const user = await User.findByPk(userId, { attributes: ['id', 'closedMs'], ...forShare(transaction) });
  if (!user || user.closedMs !== null) throw new NotFound('the user');
}

/** The owner cannot share the sensor with them until they allow it. */
export async function refuseShare(
  userId: number,
  { id, ownerId }: Sensor,
  nowMs: number,
  transaction: Transaction,
): Promise<void> {
  const refusal = { userId, sensorId: id, ownerId, createdMs: nowMs };
  await RefusedShare.bulkCreate([refusal], { ignoreDuplicates: true, transaction });
}
