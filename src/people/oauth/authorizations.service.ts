import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { Authorization } from '../../storage/models/authorization.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { findApplication } from './find-application';

const NOTED_EVERY_MS = 60_000;

const LIVE = `FROM authorizations z JOIN applications a ON a.id = z.application_id AND a.closed_ms IS NULL
  WHERE z.user_id = ? AND (z.expires_ms IS NULL OR z.expires_ms > ?)`;

export interface ListedAuthorization {
  id: number;
  application: { id: number; name: string };
  scopes: string[];
  createdMs: number;
  expiresMs: number | null;
  lastUsedMs: number | null;
}

/** Adds to earlier authorizations. */
export interface Grant {
  userId: number;
  applicationId: number;
  scopes: readonly string[];
  expiresMs: number | null;
}

/** All tokens of an application for a user depend on one authorization, and end with it. */
export class AuthorizationsService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<ListedAuthorization>> {
    const values = [userId, this.clock.now()];
    const text = `SELECT z.id, z.scopes, z.created_ms, z.expires_ms, z.last_used_ms, a.id AS application_id, a.name ${LIVE}
      ORDER BY z.id LIMIT ? OFFSET ?`;
    return queryPage(
      this.database.pool,
      {
        page: { text, values: [...values, page.limit, page.offset] },
        count: page.withTotal ? { text: `SELECT COUNT(*) AS total ${LIVE}`, values } : undefined,
      },
      toListed,
    );
  }

  async allows(userId: number, applicationId: number): Promise<boolean> {
    const sql = `SELECT z.id ${LIVE} AND z.application_id = ?`;
    const [rows] = await this.database.pool.query<RowDataPacket[]>(sql, [userId, this.clock.now(), applicationId]);
    return rows.length > 0;
  }

  /**
   * Adds scopes, and keeps the later expiry. Raises the event. Throws NotFound if application or account has been
   * deleted.
   */
  async allow({ userId, applicationId, scopes, expiresMs }: Grant, transaction: Transaction): Promise<Authorization> {
    const nowMs = this.clock.now();
    const user = await User.findOne({ where: { id: userId, closedMs: null }, ...forUpdate(transaction) });
    const application = await findApplication({ id: applicationId }, transaction);
    if (!user || !application) throw new NotFound('the application');
    const where = { userId, applicationId };
    const before = await Authorization.findOne({ where, ...forUpdate(transaction) });
    const isLive = before !== null && (before.expiresMs === null || before.expiresMs > nowMs);
    const fields = {
      ...where,
      scopes: [...new Set([...(isLive ? scopesOf(before) : []), ...scopes])].join(' '),
      expiresMs: isLive ? laterOf(before.expiresMs, expiresMs) : expiresMs,
      createdMs: isLive ? before.createdMs : nowMs,
    };
    const authorization = before
      ? await before.update(fields, { transaction })
      : await Authorization.create(fields, { transaction });
    await this.events.raise(transaction, { name: 'authorize_application', subjectId: applicationId, userId });
    return authorization;
  }

  /** Ends all its tokens, at once in all processes. */
  async end(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const authorization = await Authorization.findOne({ where: { id, userId }, ...forUpdate(transaction) });
      if (!authorization) throw new NotFound('the authorization');
      const { applicationId } = authorization;
      await authorization.destroy({ transaction });
      await this.events.raise(transaction, { name: 'revoke_application', subjectId: applicationId, userId });
    });
  }

  async endAll(userId: number, transaction: Transaction): Promise<void> {
    const authorizations = await Authorization.findAll({ where: { userId }, order: ['id'], ...forUpdate(transaction) });
    await Authorization.destroy({ where: { id: authorizations.map(({ id }) => id) }, transaction });
    const ended = authorizations.map(({ applicationId }) => ({
      name: 'revoke_application' as const,
      subjectId: applicationId,
      userId,
    }));
    await this.events.raise(transaction, ended);
  }

  count(userId: number, transaction: Transaction): Promise<number> {
    return Authorization.count({ where: { userId }, transaction });
  }

  /** Records the use at most once a minute, in the background. Never fails. */
  recordUse({ id, lastUsedMs }: { id: number; lastUsedMs: number | null }): void {
    const nowMs = this.clock.now();
    if (lastUsedMs !== null && nowMs - lastUsedMs < NOTED_EVERY_MS) return;
    const sql = `UPDATE authorizations SET last_used_ms = ? WHERE id = ? AND (last_used_ms IS NULL OR last_used_ms <= ?)`;
    this.database.pool.query(sql, [nowMs, id, nowMs - NOTED_EVERY_MS]).catch(() => undefined);
  }
}

function scopesOf({ scopes }: { scopes: string }): string[] {
  return scopes.split(' ').filter(Boolean);
}

function laterOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

function toListed(row: RowDataPacket): ListedAuthorization {
  return {
    id: Number(row.id),
    application: { id: Number(row.application_id), name: String(row.name) },
    scopes: scopesOf({ scopes: String(row.scopes) }),
    createdMs: Number(row.created_ms),
    expiresMs: row.expires_ms === null ? null : Number(row.expires_ms),
    lastUsedMs: row.last_used_ms === null ? null : Number(row.last_used_ms),
  };
}
