import { Op, type Transaction } from 'sequelize';
import { chooseSensors, type SensorChoice, type SensorDemands } from '../../domain/group-offer';
import { Forbidden, InvalidInput } from '../../errors';
import { Sensor } from '../../models/sensor.model';
import type { UserGroup } from '../../models/user-group.model';

/** How many sensors one user may offer to a group in all. */
const MAX_OFFERED = 1_000;

/** The sensors that a user offers to a group. */
export interface SensorOffer {
  userId: number;
  sensorIds: readonly number[];
}

/**
 * Which sensors the group takes of each offer, in the order of the offers: those that it asks for and others. One
 * statement for all. InvalidInput when a user has no sensor of a name that the group requires.
 */
export async function chooseForAcceptance(
  group: UserGroup,
  offers: readonly SensorOffer[],
  transaction: Transaction,
): Promise<SensorChoice[]> {
  const { required, optional } = demandsOf(group);
  const sensors = await Sensor.findAll({
    attributes: ['id', 'name', 'ownerId'],
    where: {
      ownerId: offers.map(({ userId }) => userId),
      [Op.or]: { id: offers.flatMap(({ sensorIds }) => sensorIds), name: [...required, ...optional] },
    },
    order: ['id'],
    lock: transaction.LOCK.SHARE,
    transaction,
  });
  return offers.map(({ userId, sensorIds }) => {
    const own = sensors.filter(({ ownerId }) => ownerId === userId);
    return withNoneMissing(chooseSensors({ required, optional }, own, sensorIds));
  });
}

/** Forbidden when a sensor is offered that the group does not ask for, and the user may not add any. */
export async function authoriseOffer(
  group: UserGroup,
  { userId, sensorIds }: SensorOffer,
  mayAdd: boolean,
  transaction: Transaction,
): Promise<void> {
  if (mayAdd) return;
  const where = { id: [...sensorIds], ownerId: userId };
  const own = await Sensor.findAll({ attributes: ['id', 'name'], where, transaction });
  authoriseExtra(chooseSensors(demandsOf(group), own, sensorIds), mayAdd);
}

/** Forbidden when the group does not ask for all of the chosen sensors, and the user may not add others. */
export function authoriseExtra({ extra }: SensorChoice, mayAdd: boolean): void {
  if (mayAdd || extra.length === 0) return;
  throw new Forbidden('you may not add sensors to this group, other than those that it asks for');
}

/** The offered sensors as a membership stores them until its user is accepted; InvalidInput when they are too many. */
export function toOfferedSensors(sensorIds: readonly number[]): string {
  if (sensorIds.length <= MAX_OFFERED) return JSON.stringify(sensorIds);
  throw InvalidInput.field('sensors', `are more than ${MAX_OFFERED}, counted with those that you offered before`);
}

function demandsOf({ requiredSensorNames: required, optionalSensorNames: optional }: UserGroup): SensorDemands {
  return { required, optional };
}

function withNoneMissing(choice: SensorChoice): SensorChoice {
  if (choice.missing.length === 0) return choice;
  const names = choice.missing.join(', ');
  throw new InvalidInput(`the group requires a sensor of each of these names: ${names}`, { sensors: `needs ${names}` });
}
