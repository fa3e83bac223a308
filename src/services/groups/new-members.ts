import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import { GROUP_RIGHTS, type GroupRights } from '../../domain/group-rights';
import { agreedDetails, type DisplaySettings } from '../../domain/shown-details';
import type { EventLog } from '../../events/event-log';
import { GroupUser } from '../../models/group-user.model';
import type { UserGroup } from '../../models/user-group.model';
import { forgetRights, rightsOnJoining } from './former-members';
import type { GroupSensorsService } from './group-sensors.service';
import { authoriseExtra, authoriseOffer, chooseForAcceptance, toOfferedSensors } from './sensor-offers';

/** A user who waits, and how they are accepted. */
export interface Acceptance {
  membership: GroupUser;
  /** Rights in place of those that every new member got when they asked. */
  granted?: Partial<GroupRights>;
  /** What they offer now, in addition to what they offered before. */
  sensorIds?: readonly number[];
}

/** Writes the memberships of users who join, in transactions that have locked the group, and shares what they offer. */
export class NewMembers {
  constructor(
    private readonly groupSensors: GroupSensorsService,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Creates a membership; what a user who waits offers is stored until they are accepted. */
  async create(
    group: UserGroup,
    member: DisplaySettings & { userId: number; accepted: boolean },
    sensorIds: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    const { userId, accepted } = member;
    const rights = await rightsOnJoining(group, userId, transaction);
    const choices = await chooseForAcceptance(group, [{ userId, sensorIds }], transaction);
    for (const choice of choices) authoriseExtra(choice, rights.addSensors);
    const offeredSensors = toOfferedSensors(accepted ? [] : sensorIds);
    const createdMs = this.clock.now();
    const terms = { ...rights, ...agreedDetails(group) };
    await GroupUser.create({ groupId: group.id, ...member, ...terms, offeredSensors, createdMs }, { transaction });
    await this.events.raise(transaction, { name: 'add_group_user', subjectId: userId, sourceId: group.id, userId });
    if (!accepted) return;
    await forgetRights(group, [userId], transaction);
    const shares = choices.map(({ asked, extra }) => ({ userId, sensorIds: [...asked, ...extra] }));
    await this.groupSensors.share(group, shares, transaction);
  }

  /** Makes members of users who wait, and shares what they offered: a fixed number of statements for all of them. */
  async accept(
    group: UserGroup,
    acceptances: readonly Acceptance[],
    actorId: number,
    transaction: Transaction,
  ): Promise<void> {
    const offers = acceptances.map(({ membership: { userId, offeredSensorIds }, sensorIds = [] }) => ({
      userId,
      sensorIds: [...offeredSensorIds, ...sensorIds],
    }));
    const choices = await chooseForAcceptance(group, offers, transaction);
    const members = acceptances.map(({ membership, granted }) => ({
      ...membership.get(),
      ...granted,
      accepted: true,
      offeredSensors: toOfferedSensors([]),
    }));
    const updateOnDuplicate = [...Object.values(GROUP_RIGHTS), 'accepted' as const, 'offeredSensors' as const];
    await GroupUser.bulkCreate(members, { updateOnDuplicate, transaction });
    await forgetRights(
      group,
      members.map(({ userId }) => userId),
      transaction,
    );
    const event = { name: 'accept_group_user', sourceId: group.id, userId: actorId } as const;
    await this.events.raise(
      transaction,
      members.map(({ userId }) => ({ ...event, subjectId: userId })),
    );
    const shares = members.map(({ userId, addSensors }, index) => {
      const { asked = [], extra = [] } = choices[index] ?? {};
      return { userId, sensorIds: addSensors ? [...asked, ...extra] : asked };
    });
    await this.groupSensors.share(group, shares, transaction);
  }

  /** Sensors that are offered later: a member shares them at once, for a user who waits they are stored with the others. */
  async offerMore(
    group: UserGroup,
    membership: GroupUser,
    sensorIds: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    const { userId, accepted } = membership;
    const known = accepted ? await this.groupSensors.idsOf(group, userId, transaction) : membership.offeredSensorIds;
    const added = sensorIds.filter((id) => !known.includes(id));
    if (added.length === 0) return;
    await authoriseOffer(group, { userId, sensorIds: added }, membership.addSensors, transaction);
    if (accepted) return this.groupSensors.share(group, [{ userId, sensorIds: added }], transaction);
    await membership.update({ offeredSensors: toOfferedSensors([...known, ...added]) }, { transaction });
  }
}
