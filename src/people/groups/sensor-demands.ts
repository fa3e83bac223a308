import { Op, type Transaction } from 'sequelize';
import { FormerSensorDemands } from '../../storage/models/former-sensor-demands.model';
import { GroupUser } from '../../storage/models/group-user.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import type { SensorDemands } from './group-offer';

// Waiting users are accepted under the demands at their request. The lists are long, so they are stored once for all of
// these users, when the group changes them. All of this runs in transactions that have locked the group.

export function demandsOf({ requiredSensorNames: required, optionalSensorNames: optional }: UserGroup): SensorDemands {
  return { required, optional };
}

/** The current demands if the version is not stored. */
export async function demandsAt(group: UserGroup, version: number, transaction: Transaction): Promise<SensorDemands> {
  if (version === group.demandsVersion) return demandsOf(group);
  const where = { groupId: group.id, version };
  const former = await FormerSensorDemands.findOne({ where, transaction });
  if (!former) return demandsOf(group);
  return { required: JSON.parse(former.requiredSensors), optional: JSON.parse(former.optionalSensors) };
}

/** Keeps the former lists while a user waits who asked under them. */
export async function changeDemands(
  group: UserGroup,
  { requiredSensors = group.requiredSensors, optionalSensors = group.optionalSensors }: Partial<StoredDemands>,
  transaction: Transaction,
): Promise<void> {
  if (requiredSensors === group.requiredSensors && optionalSensors === group.optionalSensors) return;
  const { id: groupId, demandsVersion: version } = group;
  const waiting = await GroupUser.findAll({
    attributes: ['demandsVersion'],
    where: { groupId, accepted: false },
    group: 'demandsVersion',
    transaction,
  });
  const needed = waiting.map(({ demandsVersion }) => demandsVersion);
  await FormerSensorDemands.destroy({ where: { groupId, version: { [Op.notIn]: needed } }, transaction });
  if (needed.includes(version)) {
    const former = { requiredSensors: group.requiredSensors, optionalSensors: group.optionalSensors };
    await FormerSensorDemands.create({ groupId, version, ...former }, { transaction });
  }
  await group.update({ requiredSensors, optionalSensors, demandsVersion: version + 1 }, { transaction });
}

type StoredDemands = Pick<UserGroup, 'requiredSensors' | 'optionalSensors'>;
