import { Op, type Transaction, type WhereOptions } from 'sequelize';
import { Forbidden, InvalidInput } from '../../platform/errors';
import type { GroupUser } from '../../storage/models/group-user.model';
import { Sensor } from '../../storage/models/sensor.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import { chooseSensors, type SensorChoice } from './group-offer';
import { demandsAt, demandsOf } from './sensor-demands';

const MAX_OFFERED = 1_000;

export interface SensorOffer {
  userId: number;
  sensorIds: readonly number[];
}

/**
 * Demanded sensors, named by the user or not, and others that they offer. Throws InvalidInput if a required name has no
 * sensor.
 */
export async function chooseOnJoining(
  group: UserGroup,
  { userId, sensorIds }: SensorOffer,
  transaction: Transaction,
): Promise<SensorChoice> {
  const demands = demandsOf(group);
  const name = [...demands.required, ...demands.optional];
  const own = await lockOwn({ ownerId: userId, [Op.or]: { id: [...sensorIds], name } }, transaction);
  return withNoneMissing(chooseSensors(demands, own, sensorIds));
}

/**
 * Returns for accepted users, in order, the sensors fixed at their request that they still own. Throws InvalidInput if
 * none is left for a name required then.
 */
export async function chooseOnAcceptance(
  group: UserGroup,
  memberships: readonly GroupUser[],
  transaction: Transaction,
): Promise<SensorChoice[]> {
  const offered = new Map(memberships.map(({ userId, offeredSensorIds }) => [userId, offeredSensorIds]));
  const sensors = await lockOwn({ ownerId: [...offered.keys()], id: [...offered.values()].flat() }, transaction);
  const choices = new Map<number, SensorChoice>();
  // One version at a time, because the lists of each may be long. There is nearly always only one.
  for (const version of new Set(memberships.map(({ demandsVersion }) => demandsVersion))) {
    const demands = await demandsAt(group, version, transaction);
    for (const { userId } of memberships.filter(({ demandsVersion }) => demandsVersion === version)) {
      const ids = new Set(offered.get(userId));
      const own = sensors.filter(({ id, ownerId }) => ownerId === userId && ids.has(id));
      choices.set(userId, withNoneMissing(chooseSensors(demands, own, [...ids])));
    }
  }
  return memberships.flatMap(({ userId }) => choices.get(userId) ?? []);
}

/**
 * Throws Forbidden if a sensor is not demanded, and the member may not add any. For a waiting user, the demands at the
 * request also count.
 */
export async function authoriseOffer(
  group: UserGroup,
  { userId, accepted, addSensors, demandsVersion }: GroupUser,
  sensorIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  if (addSensors) return;
  const own = await lockOwn({ id: [...sensorIds], ownerId: userId }, transaction);
  const choice = chooseSensors(demandsOf(group), own, sensorIds);
  if (accepted || choice.extra.length === 0) return authoriseExtra(choice, addSensors);
  const then = await demandsAt(group, demandsVersion, transaction);
  authoriseExtra(chooseSensors(then, own, choice.extra), addSensors);
}

/** Throws Forbidden if a chosen sensor is not demanded, and the user may not add others. */
export function authoriseExtra({ extra }: SensorChoice, mayAdd: boolean): void {
  if (mayAdd || extra.length === 0) return;
  throw new Forbidden('you may not add sensors to this group, other than those that it asks for');
}

/** Returns the stored form. Throws InvalidInput if there are too many sensors. */
export function toOfferedSensors(sensorIds: readonly number[]): string {
  if (sensorIds.length <= MAX_OFFERED) return JSON.stringify(sensorIds);
  throw InvalidInput.field(
    'sensors',
    `are more than ${MAX_OFFERED}, counted with those that you offered before and those that the group asks for by name`,
  );
}

function lockOwn(where: WhereOptions<Sensor>, transaction: Transaction): Promise<Sensor[]> {
  const attributes = ['id', 'name', 'ownerId'];
  return Sensor.findAll({ attributes, where, order: ['id'], lock: transaction.LOCK.SHARE, transaction });
}

function withNoneMissing(choice: SensorChoice): SensorChoice {
  if (choice.missing.length === 0) return choice;
  const names = choice.missing.join(', ');
  throw new InvalidInput(`the group requires a sensor of each of these names: ${names}`, { sensors: `needs ${names}` });
}
