import type { RowDataPacket } from 'mysql2/promise';
import { requireRight } from '../../access/group-access';
import type { Page, PageOf, SortDirection } from '../../edge/paging';
import type { Identity } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { runOn } from '../../storage/transaction';
import { readHead, SELECT_RECORDS, toRecord } from '../chain/chain-writer';
import type { AuditRecord, Chain, Head } from '../chain/record';

export interface AuditFilter {
  groupId: number | undefined;
  startMs: number | undefined;
  endMs: number | undefined;
  action: string | undefined;
  who: number | undefined;
  subjectKind: string | undefined;
  subjectId: number | undefined;
  refused: boolean | undefined;
}

/** A record with the names of who acted, as they are now. */
export interface NamedRecord extends AuditRecord {
  /** Null for an account that is gone. */
  username: string | null;
  /** The key's or application's name; null if it is gone. */
  credentialName: string | null;
  /** Members of a group see no addresses of others. */
  showsAddress: boolean;
}

/** Reads the chain of an account, or of a group where the reader may edit it. */
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** Throws as `head` does. */
  async list(
    caller: Identity,
    filter: AuditFilter,
    page: Page,
    sort: SortDirection = 'DESC',
  ): Promise<PageOf<NamedRecord>> {
    const chain = await chainFor(caller, filter.groupId);
    const conditions = Object.entries(conditionsOf(chain, filter)).filter(([, value]) => value !== undefined);
    const where = `WHERE ${conditions.map(([condition]) => condition).join(' AND ')}`;
    const values = conditions.flatMap(([condition, value]) => (condition.includes('?') ? [value] : []));
    const { reads } = this.database;
    const order = `ORDER BY sequence ${sort} LIMIT ? OFFSET ?`;
    const found = await queryPage(
      reads,
      {
        page: { text: `${SELECT_RECORDS} ${where} ${order}`, values: [...values, page.limit, page.offset] },
        ...(page.withTotal && { count: { text: `SELECT COUNT(*) AS total FROM audit_records ${where}`, values } }),
      },
      toRecord,
    );
    return { ...found, items: await this.named(caller.userId, filter.groupId, found.items) };
  }

  /** Throws Forbidden for an application, and where the user may not edit the group; NotFound without one. */
  async head(caller: Identity, groupId: number | undefined): Promise<Head> {
    return readHead(runOn(this.database.reads), await chainFor(caller, groupId));
  }

  private async named(
    userId: number,
    groupId: number | undefined,
    records: readonly AuditRecord[],
  ): Promise<NamedRecord[]> {
    const idsBy = (kind: string) => records.flatMap(({ byKind, byId }) => (byKind === kind && byId ? byId : []));
    const actors = records.flatMap(({ who }) => who ?? []);
    const [users, keys, applications] = await Promise.all([
      groupId === undefined
        ? this.namesOf('SELECT id, username AS name FROM users WHERE closed_ms IS NULL AND id IN (?)', actors)
        : this.namesOf(MEMBERS, actors, groupId),
      this.namesOf('SELECT id, name FROM api_keys WHERE id IN (?)', idsBy('key')),
      this.namesOf('SELECT id, name FROM applications WHERE id IN (?)', idsBy('application')),
    ]);
    return records.map((record) => {
      const { who, byKind, byId } = record;
      const isOwn = who === userId;
      const names = byKind === 'key' ? keys : applications;
      return {
        ...record,
        username: who === null ? null : (users.get(who) ?? null),
        credentialName: (isOwn && byId !== null && names.get(byId)) || null,
        showsAddress: isOwn || (groupId === undefined && byKind === 'visitor'),
      };
    });
  }

  private async namesOf(sql: string, ids: readonly number[], ...others: number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const [rows] = await this.database.reads.query<RowDataPacket[]>(sql, [[...new Set(ids)], ...others]);
    return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  }
}

/** Members who show their username to the group. */
const MEMBERS = `SELECT u.id, u.username AS name FROM users u JOIN group_users g ON g.user_id = u.id
  WHERE u.id IN (?) AND g.group_id = ? AND g.accepted AND (g.show_username OR g.agreed_username)`;

/** An application gets neither addresses nor what was changed with other credentials. */
async function chainFor({ userId, credential }: Identity, groupId: number | undefined): Promise<Chain> {
  if (credential.kind !== 'session' && credential.kind !== 'key')
    throw new Forbidden('an application may not read the history');
  if (groupId === undefined) return `account:${userId}`;
  await requireRight(userId, groupId, 'editGroup');
  return `group:${groupId}`;
}

function conditionsOf(chain: Chain, filter: AuditFilter): Record<string, unknown> {
  const { refused } = filter;
  return {
    'chain = ?': chain,
    'date_ms >= ?': filter.startMs,
    'date_ms <= ?': filter.endMs,
    'action = ?': filter.action,
    'who = ?': filter.who,
    'subject_kind = ?': filter.subjectKind,
    'subject_id = ?': filter.subjectId,
    [`refused IS ${refused ? 'NOT ' : ''}NULL`]: refused,
  };
}
