import type { Transaction } from 'sequelize';
import type { AccessedGroup } from '../../access/group-access';
import { GROUP_RIGHTS, type GroupRights } from '../../access/group-rights';
import { agreedDetails, type DisplaySettings, SHOW_NOTHING } from '../../edge/shown-details';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { GroupUser } from '../../storage/models/group-user.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import { forgetRights, rightsOnJoining } from './former-members';
import type { GroupSensorsService } from './group-sensors.service';
import { authoriseExtra, authoriseOffer, chooseOnAcceptance, chooseOnJoining, toOfferedSensors } from './sensor-offers';

export interface Acceptance {
  membership: GroupUser;
  /** Replace the defaults at the time of the request. */
  granted?: Partial<GroupRights>;
}

/** The caller, who joins. */
export interface Applicant {
  userId: number;
  display: Partial<DisplaySettings>;
  sensorIds: readonly number[];
  /** Otherwise they ask to join. */
  mayEnter: boolean;
}

/** Writes memberships and shares offered sensors, in transactions that have locked the group. */
export class NewMembers {
  constructor(
    private readonly groupSensors: GroupSensorsService,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** The user becomes a member, or waits. A member, or a user who still waits, offers more sensors. */
  async join({ group, membership }: AccessedGroup, applicant: Applicant, transaction: Transaction): Promise<void> {
    const { userId, display, sensorIds, mayEnter } = applicant;
    if (!membership) {
      const member = { userId, accepted: mayEnter, ...SHOW_NOTHING, ...display };
      return this.create(group, member, sensorIds, transaction);
    }
    await this.offerMore(group, membership, sensorIds, transaction);
    if (!membership.accepted && mayEnter) await this.accept(group, [{ membership }], userId, transaction);
  }

  /** Stores the chosen sensors of a waiting user until the acceptance. */
  private async create(
    group: UserGroup,
    member: DisplaySettings & { userId: number; accepted: boolean },
    sensorIds: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    const { userId, accepted } = member;
    const rights = await rightsOnJoining(group, userId, transaction);
    const choice = await chooseOnJoining(group, { userId, sensorIds }, transaction);
    authoriseExtra(choice, rights.addSensors);
    const chosen = [...choice.asked, ...choice.extra];
    const terms = { ...rights, ...agreedDetails(group), demandsVersion: group.demandsVersion };
    const offer = { offeredSensors: toOfferedSensors(accepted ? [] : chosen), createdMs: this.clock.now() };
    await GroupUser.create({ groupId: group.id, ...member, ...terms, ...offer }, { transaction });
    await this.events.raise(transaction, { name: 'add_group_user', subjectId: userId, sourceId: group.id, userId });
    if (!accepted) return;
    await forgetRights(group, [userId], transaction);
    await this.groupSensors.share(group, [{ userId, sensorIds: chosen }], transaction);
  }

  /** Shares the sensors fixed at the requests, with a fixed number of statements per version of the demands. */
  async accept(
    group: UserGroup,
    acceptances: readonly Acceptance[],
    actorId: number,
    transaction: Transaction,
  ): Promise<void> {
    const waiting = acceptances.map(({ membership }) => membership);
    const choices = await chooseOnAcceptance(group, waiting, transaction);
    const members = acceptances.map(({ membership, granted }) => ({
      ...membership.get(),
      ...granted,
      accepted: true,
      offeredSensors: toOfferedSensors([]),
    }));
    const updateOnDuplicate = [...GROUP_RIGHTS, 'accepted' as const, 'offeredSensors' as const];
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
    const shares = acceptances.map(({ membership: { userId, addSensors }, granted }, index) => {
      const { asked = [], extra = [] } = choices[index] ?? {};
      const isWithdrawn = addSensors && granted?.addSensors === false; // otherwise all of it was authorised when it was offered
      return { userId, sensorIds: isWithdrawn ? asked : [...asked, ...extra] };
    });
    await this.groupSensors.share(group, shares, transaction);
  }

  /** A member shares them at once; for a waiting user they are stored. */
  private async offerMore(
    group: UserGroup,
    membership: GroupUser,
    sensorIds: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    const { userId, accepted } = membership;
    const known = accepted ? await this.groupSensors.idsOf(group, userId, transaction) : membership.offeredSensorIds;
    const added = sensorIds.filter((id) => !known.includes(id));
    if (added.length === 0) return;
    await authoriseOffer(group, membership, added, transaction);
    if (accepted) return this.groupSensors.share(group, [{ userId, sensorIds: added }], transaction);
    await membership.update({ offeredSensors: toOfferedSensors([...known, ...added]) }, { transaction });
  }
}
