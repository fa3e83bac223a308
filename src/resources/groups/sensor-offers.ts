import { Op, type Transaction, type WhereOptions } from 'sequelize';
import { Forbidden, InvalidInput } from '../../platform/errors';
import { chooseSensors, type SensorChoice } from '../../rules/group-offer';
import type { GroupUser } from '../../storage/models/group-user.model';
import { Sensor } from '../../storage/models/sensor.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import { demandsAt, demandsOf } from './sensor-demands';

/** How many sensors a user who waits may offer to a group in all. */
const MAX_OFFERED = 1_000;

/** The sensors that a user offers to a group. */
export interface SensorOffer {
  userId: number;
  sensorIds: readonly number[];
}

/**
 * Which sensors the group takes of a user who joins, or asks to: those that it asks for, named by the user or not, and
 * others that they offer. InvalidInput when the user has no sensor of a name that the group requires.
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
 * The same for users who are accepted, in the order given: out of what was fixed when they asked, less what they do not
 * own any more. InvalidInput when nothing is left of a name that the group required then.
 */
export async function chooseOnAcceptance(
  group: UserGroup,
  memberships: readonly GroupUser[],
  transaction: Transaction,
): Promise<SensorChoice[]> {
  const offered = new Map(memberships.map(({ userId, offeredSensorIds }) => [userId, offeredSensorIds]));
  const sensors = await lockOwn({ ownerId: [...offered.keys()], id: [...offered.values()].flat() }, transaction);
  const choices = new Map<number, SensorChoice>();
  // One version at a time, since the lists of each may be long. Nearly always there is only one.
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
 * Forbidden when a sensor is offered that the group does not ask for, and the member may not add any. Of a user who waits,
 * it may also ask for what it asked for when they asked to join.
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

/** Forbidden when the group does not ask for all of the chosen sensors, and the user may not add others. */
export function authoriseExtra({ extra }: SensorChoice, mayAdd: boolean): void {
  if (mayAdd || extra.length === 0) return;
  throw new Forbidden('you may not add sensors to this group, other than those that it asks for');
}

/** The offered sensors as a membership stores them until its user is accepted; InvalidInput when they are too many. */
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
