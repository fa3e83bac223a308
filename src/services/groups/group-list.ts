import type { Pool, RowDataPacket } from 'mysql2/promise';
import { queryPage } from '../../database/find-page';
import type { Page, PageOf } from '../../domain/paging';

/** Which groups are wanted, and in which order. */
export interface GroupFilter {
  /** true: only public ones; false: only private ones. */
  isPublic?: boolean;
  sortField: 'id' | 'username' | 'email' | 'public' | 'description' | 'name';
  sort: 'ASC' | 'DESC';
}

/** A group in a list of one user's. */
export interface ListedGroup {
  id: number;
  name: string;
  description: string;
  isPublic: boolean;
  /** Whether the user is an accepted member. */
  accepted: boolean;
}

/** The groups that a user is in or asked to join, hidden ones too; or all that are not hidden. */
export type GroupScope = 'own' | 'all';

const SOURCES: Readonly<Record<GroupScope, string>> = {
  own: 'FROM group_users m JOIN user_groups g ON g.id = m.group_id WHERE m.user_id = ?',
  all: 'FROM user_groups g LEFT JOIN group_users m ON m.group_id = g.id AND m.user_id = ? WHERE g.hidden = FALSE',
};

/** Fields that only those see who may read the whole group; for others they are missing from the order, too. */
const OF_READERS: readonly GroupFilter['sortField'][] = ['username', 'email'];

/** A page of groups; the id decides between equal ones. */
export async function findGroupPage(
  pool: Pool,
  userId: number,
  scope: GroupScope,
  { isPublic, sortField, sort }: GroupFilter,
  page: Page,
): Promise<PageOf<ListedGroup>> {
  const source = SOURCES[scope] + (isPublic === undefined ? '' : ` AND g.public = ${isPublic ? 'TRUE' : 'FALSE'}`);
  const field = OF_READERS.includes(sortField) ? `IF(g.public OR m.accepted, g.${sortField}, '')` : `g.${sortField}`;
  const values = [userId];
  return queryPage(
    pool,
    {
      page: {
        text: `SELECT g.id, g.name, g.description, g.public, COALESCE(m.accepted, FALSE) AS accepted ${source}
               ORDER BY ${field} ${sort}, g.id ${sort} LIMIT ? OFFSET ?`,
        values: [...values, page.limit, page.offset],
      },
      count: page.withTotal ? { text: `SELECT COUNT(*) AS total ${source}`, values } : undefined,
    },
    toListedGroup,
  );
}

function toListedGroup(row: RowDataPacket): ListedGroup {
  return {
    id: Number(row.id),
    name: String(row.name),
    description: String(row.description),
    isPublic: Number(row.public) === 1,
    accepted: Number(row.accepted) === 1,
  };
}
