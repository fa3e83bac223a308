import { requireRight } from '../../access/group-access';
import type { Page, PageOf, SortDirection } from '../../edge/paging';
import type { Identity } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { findKnownNames } from '../../storage/known-users';
import { runOn } from '../../storage/transaction';
import { readHead, SELECT_RECORDS, toRecord } from '../chain/chain-writer';
import type { ActorKind, AuditRecord, Chain, Head } from '../chain/record';

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
  /** Null for an account that is gone, or whose name the reader sees nowhere else. */
  username: string | null;
  /** The name of the reader's own key, application or MQTT source; null if it is gone. */
  credentialName: string | null;
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
    const isWhole = conditions.length === 1;
    const count = isWhole ? COUNT_ALL : `SELECT COUNT(*) AS total FROM audit_records ${where}`;
    const order = `ORDER BY sequence ${sort} LIMIT ?`;
    const found = await queryPage(
      reads,
      {
        page: isWhole
          ? {
              text: `${SELECT_RECORDS} ${where} AND ${FROM[sort]} ${order}`,
              values: [chain, page.offset, chain, page.limit],
            }
          : { text: `${SELECT_RECORDS} ${where} ${order} OFFSET ?`, values: [...values, page.limit, page.offset] },
        ...(page.withTotal && { count: { text: count, values } }),
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
    const idsBy = (kind: string) =>
      records.flatMap(({ who, byKind, byId }) => (who === userId && byKind === kind ? (byId ?? []) : []));
    const others = records.flatMap(({ who }) => (who === null || who === userId ? [] : who));
    const shown = await this.shownTo(userId, groupId, [...new Set(others)]);
    const [usernames, ...named] = await Promise.all([
      this.namesOf('SELECT id, username AS name FROM users WHERE closed_ms IS NULL AND id IN (?)', [userId, ...shown]),
      ...CREDENTIALS.map(([kind, table]) => this.namesOf(`SELECT id, name FROM ${table} WHERE id IN (?)`, idsBy(kind))),
    ]);
    const names = new Map(CREDENTIALS.map(([kind], index) => [kind, named[index]]));
    return records.map((record) => {
      const { who, byKind, byId } = record;
      const isOwn = who === userId && byId !== null;
      return {
        ...record,
        username: who === null ? null : (usernames.get(who) ?? null),
        credentialName: (isOwn && names.get(byKind)?.get(byId)) || null,
      };
    });
  }

  /** Those whose usernames the reader sees: in the group, or anywhere. */
  private async shownTo(userId: number, groupId: number | undefined, others: readonly number[]): Promise<number[]> {
    if (others.length === 0) return [];
    const run = runOn(this.database.reads);
    if (groupId === undefined) return [...(await findKnownNames(run, userId, others))];
    return (await run(SHOWN_MEMBERS, [groupId, others])).map(({ id }) => Number(id));
  }

  private async namesOf(sql: string, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await runOn(this.database.reads)(sql, [[...new Set(ids)]]);
    return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  }
}

const CREDENTIALS: readonly (readonly [ActorKind, table: string])[] = [
  ['key', 'api_keys'],
  ['application', 'applications'],
  ['mqtt_source', 'mqtt_sources'],
];

const SHOWN_MEMBERS = `SELECT user_id AS id FROM group_users
  WHERE group_id = ? AND user_id IN (?) AND accepted AND (show_username OR agreed_username)`;

/** Without a filter no sequence is left out: a page begins at its sequence, and the head knows the number. */
const FROM: Readonly<Record<SortDirection, string>> = {
  ASC: 'sequence >= (SELECT first_kept + ? FROM audit_heads WHERE chain = ?)',
  DESC: 'sequence <= (SELECT CAST(sequence AS SIGNED) - ? FROM audit_heads WHERE chain = ?)',
};

const COUNT_ALL = 'SELECT COALESCE(MAX(sequence + 1 - first_kept), 0) AS total FROM audit_heads WHERE chain = ?';

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
