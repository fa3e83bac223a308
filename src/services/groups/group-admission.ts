import { Op, type Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import { chooseSensors, type SensorChoice, type SensorDemands } from '../../domain/group-offer';
import { type GroupRights, rightsOfNewMember } from '../../domain/group-rights';
import { type DisplaySettings, SHOW_NOTHING } from '../../domain/shown-details';
import { Forbidden, InvalidInput } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { GroupUser } from '../../models/group-user.model';
import { Sensor } from '../../models/sensor.model';
import type { UserGroup } from '../../models/user-group.model';
import type { NamedSensor } from '../access/own-sensors';
import type { GroupSensorsService } from './group-sensors.service';

/** What somebody who waits may offer in all. */
const MAX_OFFERED = 1_000;

/** A user at the door of a group: what he offers and shows. */
export interface Joiner {
  userId: number;
  display: Partial<DisplaySettings>;
  sensors: readonly NamedSensor[];
}

/** How somebody who waits is accepted. */
export interface Acceptance {
  /** Rights other than those of every new member. */
  granted?: Partial<GroupRights>;
  /** What he offers now, beside what he offered when he asked. */
  sensors?: readonly NamedSensor[];
  actorId: number;
}

/** Makes members out of joiners, in transactions that hold the lock of the group. */
export class GroupAdmission {
  constructor(
    private readonly sensors: GroupSensorsService,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Refuses what is offered when it is not the joiner's own. */
  checkOffer(userId: number, sensors: readonly NamedSensor[]): Promise<void> {
    return this.sensors.requireOwn(userId, sensors);
  }

  /** A new member, or one who waits to be accepted; what he offers is remembered till then. */
  async enter(group: UserGroup, joiner: Joiner, accepted: boolean, transaction: Transaction): Promise<void> {
    const { userId, display, sensors } = joiner;
    const sensorIds = sensors.map(({ id }) => id);
    const rights = rightsOfNewMember(group);
    const choice = await choose(group, userId, sensorIds, transaction);
    if (choice.extra.length > 0 && !rights.addSensors) throw mayNotAdd();
    await GroupUser.create(
      {
        groupId: group.id,
        userId,
        accepted,
        ...rights,
        ...SHOW_NOTHING,
        ...display,
        offeredSensors: JSON.stringify(accepted ? [] : sensorIds),
        createdMs: this.clock.now(),
      },
      { transaction },
    );
    await this.events.raise(transaction, { name: 'add_group_user', subjectId: userId, sourceId: group.id, userId });
    if (accepted) await this.sensors.share(group, userId, [...choice.asked, ...choice.extra], transaction);
  }

  /** Accepts who waits, with the rights of a new member and those granted beside; shares what he offered. */
  async accept(
    group: UserGroup,
    waiting: GroupUser,
    { granted = {}, sensors = [], actorId }: Acceptance,
    transaction: Transaction,
  ): Promise<void> {
    const { userId } = waiting;
    const rights = { ...rightsOfNewMember(group), ...granted };
    const offered = [...waiting.offeredSensorIds, ...sensors.map(({ id }) => id)];
    const choice = await choose(group, userId, offered, transaction);
    await waiting.update({ ...rights, accepted: true, offeredSensors: '[]' }, { transaction });
    await this.events.raise(transaction, {
      name: 'accept_group_user',
      subjectId: userId,
      sourceId: group.id,
      userId: actorId,
    });
    const extra = rights.addSensors ? choice.extra : [];
    await this.sensors.share(group, userId, [...choice.asked, ...extra], transaction);
  }

  /**
   * Sensors that somebody offers later: those of a member are shared at once, like any that he adds; those of one who
   * waits are remembered beside what he offered when he asked.
   */
  async offer(
    group: UserGroup,
    membership: GroupUser,
    offered: readonly NamedSensor[],
    transaction: Transaction,
  ): Promise<void> {
    const { userId, accepted } = membership;
    const known = accepted ? await this.sensors.idsOf(group, userId, transaction) : membership.offeredSensorIds;
    const ids = [...new Set(offered.map(({ id }) => id))].filter((id) => !known.includes(id));
    if (ids.length === 0) return;
    const where = { id: ids, ownerId: userId };
    const own = await Sensor.findAll({ attributes: ['id', 'name'], where, transaction });
    const { extra } = chooseSensors(demandsOf(group), own, ids);
    const { addSensors } = accepted ? membership : rightsOfNewMember(group);
    if (extra.length > 0 && !addSensors) throw mayNotAdd();
    if (accepted) return this.sensors.share(group, userId, ids, transaction);
    const all = [...known, ...ids];
    if (all.length > MAX_OFFERED)
      throw InvalidInput.field('sensors', `are more than ${MAX_OFFERED} with the earlier ones`);
    await membership.update({ offeredSensors: JSON.stringify(all) }, { transaction });
  }
}

function demandsOf({ requiredSensorNames: required, optionalSensorNames: optional }: UserGroup): SensorDemands {
  return { required, optional };
}

function mayNotAdd(): Forbidden {
  return new Forbidden('you may not add sensors to this group, other than those that it asks for');
}

/** Which of the user's sensors go with him; refuses who lacks one that the group requires. */
async function choose(
  group: UserGroup,
  userId: number,
  offered: readonly number[],
  transaction: Transaction,
): Promise<SensorChoice> {
  const demands = demandsOf(group);
  const own = await Sensor.findAll({
    attributes: ['id', 'name'],
    where: { ownerId: userId, [Op.or]: { id: [...offered], name: [...demands.required, ...demands.optional] } },
    order: ['id'],
    lock: transaction.LOCK.SHARE,
    transaction,
  });
  const choice = chooseSensors(demands, own, offered);
  if (choice.missing.length === 0) return choice;
  const names = choice.missing.join(', ');
  throw new InvalidInput(`the group requires a sensor of each of these names: ${names}`, { sensors: `needs ${names}` });
}
