import type { Page, PageOf, SortDirection } from '../../edge/paging';
import type { Identity } from '../../platform/caller';
import { Forbidden } from '../../platform/errors';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { runOn } from '../../storage/transaction';
import { readHead, SELECT_RECORDS, toRecord } from '../chain/chain-writer';
import type { Chain, Head } from '../chain/record';
import { type NamedRecord, RecordNames } from './record-names';

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

/** Reads the chain of an account, or of a group where the reader may edit it. */
export class AuditLog {
  constructor(
    private readonly database: Database,
    /** Throws Forbidden, and NotFound for a group that the user may not know of. */
    private readonly requireEditor: (userId: number, groupId: number) => Promise<unknown>,
  ) {}

  /** Throws as `head` does. */
  async list(
    caller: Identity,
    filter: AuditFilter,
    page: Page,
    sort: SortDirection = 'DESC',
  ): Promise<PageOf<NamedRecord>> {
    const chain = await this.chainFor(caller, filter.groupId);
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
    const names = new RecordNames(this.database, caller.userId, filter.groupId);
    return { ...found, items: await names.add(found.items) };
  }

  /** Throws Forbidden for an application, and where the user may not edit the group; NotFound without one. */
  async head(caller: Identity, groupId: number | undefined): Promise<Head> {
    return readHead(runOn(this.database.reads), await this.chainFor(caller, groupId));
  }

  /** An application gets neither addresses nor what was changed with other credentials. */
  private async chainFor({ userId, credential }: Identity, groupId: number | undefined): Promise<Chain> {
    if (credential.kind !== 'session' && credential.kind !== 'key')
      throw new Forbidden('an application may not read the history');
    if (groupId === undefined) return `account:${userId}`;
    await this.requireEditor(userId, groupId);
    return `group:${groupId}`;
  }
}

/** Without a filter no sequence is left out: a page begins at its sequence, and the head knows the number. */
const FROM: Readonly<Record<SortDirection, string>> = {
  ASC: 'sequence >= (SELECT first_kept + ? FROM audit_heads WHERE chain = ?)',
  DESC: 'sequence <= (SELECT CAST(sequence AS SIGNED) - ? FROM audit_heads WHERE chain = ?)',
};

const COUNT_ALL = 'SELECT COALESCE(MAX(sequence + 1 - first_kept), 0) AS total FROM audit_heads WHERE chain = ?';

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
