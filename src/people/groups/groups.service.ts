import { type Attributes, Op, type Transaction } from 'sequelize';
import { hasRight, type Membership, mayGiveToNewMembers } from '../../access/group.policy';
import { findReadableGroup, requireMember } from '../../access/group-access';
import { ALL_RIGHTS, type DefaultRights, rightsAdded } from '../../access/group-rights';
import type { Page, PageOf } from '../../edge/paging';
import {
  type AgreedDetail,
  agreedDetails,
  type DisplayDemands,
  detailsGivenUp,
  SHOW_NOTHING,
} from '../../edge/shown-details';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Forbidden } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { GroupUser } from '../../storage/models/group-user.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { inTransaction } from '../../storage/transaction';
import type { Passwords } from '../accounts/passwords';
import { findGroupPage, type GroupFilter, type GroupScope, type ListedGroup } from './group-queries';
import { changeDemands } from './sensor-demands';

type GroupColumn = 'name' | 'email' | 'username' | 'mobile' | 'description' | 'isPublic' | 'isHidden';

export type GroupInput = Partial<Pick<Attributes<UserGroup>, GroupColumn> & DefaultRights & DisplayDemands> & {
  password?: string;
  accessPassword?: string;
  requiredSensors?: string[];
  optionalSensors?: string[];
};

export class GroupsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  list(userId: number, filter: GroupFilter & { scope: GroupScope }, page: Page): Promise<PageOf<ListedGroup>> {
    return findGroupPage(this.database.reads, userId, filter, page);
  }

  find(userId: number, groupId: number): Promise<UserGroup> {
    return findReadableGroup(userId, groupId);
  }

  async create(userId: number, input: GroupInput & { name: string }): Promise<UserGroup> {
    const fields = await this.toFields(input);
    const createdMs = this.clock.now();
    return inTransaction(this.database.sequelize, async (transaction) => {
      const { id } = await UserGroup.create(
        { description: '', ...fields, name: input.name, createdMs },
        { transaction },
      );
      const group = await UserGroup.findByPk(id, { transaction, rejectOnEmpty: true }); // with the defaults of the table
      const shown = { ...SHOW_NOTHING, ...agreedDetails(group) };
      const member = { groupId: id, userId, accepted: true, ...ALL_RIGHTS, ...shown, createdMs };
      await GroupUser.create(member, { transaction });
      await this.events.raise(transaction, { name: 'add_group', subjectId: id, userId });
      return group;
    });
  }

  /**
   * Every member may, but cannot give new members rights that they lack. Applies to users who join or ask later:
   * members keep agreed details, except those that a member with the right to edit no longer requires.
   */
  async update(userId: number, groupId: number, changes: GroupInput): Promise<UserGroup> {
    const fields = await this.toFields(changes);
    return inTransaction(this.database.sequelize, async (transaction) => {
      const { group, membership } = await requireMember(userId, groupId, transaction);
      needRightsToGive(group, membership, fields);
      await changeDemands(group, fields, transaction);
      await group.update(fields, { transaction });
      if (hasRight(membership, 'editGroup')) await giveUpDetails(groupId, detailsGivenUp(changes), transaction);
      await this.events.raise(transaction, { name: 'update_group', subjectId: groupId, userId });
      return group;
    });
  }

  /** Returns the stored form. Hashing is slow, so it comes before any lock. */
  private async toFields({ password, accessPassword, requiredSensors, optionalSensors, ...plain }: GroupInput) {
    return withoutUndefined({
      ...plain,
      passwordHash: password && (await this.passwords.hash(password)),
      accessPasswordHash: accessPassword && (await this.passwords.hash(accessPassword)),
      requiredSensors: requiredSensors && namesToJson(requiredSensors),
      optionalSensors: optionalSensors && namesToJson(optionalSensors),
    });
  }
}

/** Otherwise a member could join again, with another account, and get rights that they lack. */
function needRightsToGive(group: UserGroup, membership: Membership, changes: Partial<DefaultRights>): void {
  for (const [name, right] of rightsAdded(group, changes)) {
    if (mayGiveToNewMembers(membership, right)) continue;
    throw new Forbidden(
      `default_${name}: you cannot give new members the right ${name}, which you do not have yourself`,
    );
  }
}

/** Except for members who chose to show them. */
async function giveUpDetails(
  groupId: number,
  details: readonly AgreedDetail[],
  transaction: Transaction,
): Promise<void> {
  if (details.length === 0) return;
  const none = Object.fromEntries(details.map((detail) => [detail, false]));
  const who = { groupId, [Op.or]: details.map((detail) => ({ [detail]: true })) };
  await GroupUser.update(none, { where: who, transaction });
}

function namesToJson(names: readonly string[]): string {
  return JSON.stringify([...new Set(names)]);
}
