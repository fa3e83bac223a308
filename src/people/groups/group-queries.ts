import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Page, PageOf } from '../../edge/paging';
import { queryPage } from '../../storage/find-page';
import type { GroupUser } from '../../storage/models/group-user.model';
import { User } from '../../storage/models/user.model';
import type { Reader } from '../../storage/read-pool';

/** The filter and order of a list of groups. */
export interface GroupFilter {
  /** False: only private ones. */
  isPublic?: boolean;
  sortField: 'id' | 'username' | 'email' | 'public' | 'description' | 'name';
  sort: 'ASC' | 'DESC';
}

export interface ListedGroup {
  id: number;
  name: string;
  /** Empty if the user may not read the whole group. */
  description: string;
  isPublic: boolean;
  membership: MembershipState;
  /** Users whom the user may accept. */
  requests: number;
}

/** The relation of a user to a group: outside of it, waiting to be accepted, or a member. */
export type MembershipState = 'none' | 'pending' | 'accepted';

/** `own`: groups that a user is in or asked to join, hidden ones as well. `all`: all that are not hidden. */
export type GroupScope = 'own' | 'all';

export interface GroupMember {
  membership: GroupUser;
  user: User;
}

const SOURCES: Readonly<Record<GroupScope, string>> = {
  own: 'FROM group_users m JOIN user_groups g ON g.id = m.group_id WHERE m.user_id = ?',
  all: 'FROM user_groups g LEFT JOIN group_users m ON m.group_id = g.id AND m.user_id = ? WHERE g.hidden = FALSE',
};

/** Hidden from others, also by the order. */
const FIELDS_FOR_READERS: readonly GroupFilter['sortField'][] = ['username', 'email', 'description'];

/** Repeats the rule of `mayReadGroup`. */
const IS_READER = '((g.public AND NOT g.hidden) OR COALESCE(m.accepted, FALSE))';

/** Pending users, for members who may accept them. */
const REQUESTS = `IF(m.accepted AND m.add_users,
  (SELECT COUNT(*) FROM group_users w WHERE w.group_id = g.id AND NOT w.accepted), 0)`;

export function findGroupPage(
  pool: Reader,
  userId: number,
  { scope, isPublic, sortField, sort }: GroupFilter & { scope: GroupScope },
  page: Page,
): Promise<PageOf<ListedGroup>> {
  const source = SOURCES[scope] + (isPublic === undefined ? '' : ` AND g.public = ${isPublic ? 'TRUE' : 'FALSE'}`);
  const isForReaders = FIELDS_FOR_READERS.includes(sortField);
  const field = isForReaders ? `IF(${IS_READER}, g.${sortField}, '')` : `g.${sortField}`;
  const values = [userId];
  return queryPage(
    pool,
    {
      page: {
        text: `SELECT g.id, g.name, IF(${IS_READER}, g.description, '') AS description, g.public, m.accepted,
                 ${REQUESTS} AS requests ${source}
               ORDER BY ${field} ${sort}, g.id ${sort} LIMIT ? OFFSET ?`,
        values: [...values, page.limit, page.offset],
      },
      count: page.withTotal ? { text: `SELECT COUNT(*) AS total ${source}`, values } : undefined,
    },
    toListedGroup,
  );
}

export async function findMembers(
  memberships: readonly GroupUser[],
  transaction?: Transaction,
): Promise<GroupMember[]> {
  const ids = memberships.map(({ userId }) => userId);
  const users = ids.length > 0 ? await User.findAll({ where: { id: ids }, transaction }) : [];
  const byId = new Map(users.map((user) => [user.id, user]));
  return memberships.flatMap((membership) => {
    const user = byId.get(membership.userId);
    return user ? [{ membership, user }] : [];
  });
}

function toListedGroup(row: RowDataPacket): ListedGroup {
  return {
    id: Number(row.id),
    name: String(row.name),
    description: String(row.description),
    isPublic: Number(row.public) === 1,
    membership: toMembershipState(row.accepted),
    requests: Number(row.requests),
  };
}

/** Null if there is no membership. */
function toMembershipState(accepted: unknown): MembershipState {
  if (accepted === null) return 'none';
  return Number(accepted) === 1 ? 'accepted' : 'pending';
}
