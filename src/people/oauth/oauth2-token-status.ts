import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { hashSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import type { Application } from '../../storage/models/application.model';
import { OAuth2Grant } from '../../storage/models/oauth2-grant.model';
import { OAuth2Token } from '../../storage/models/oauth2-token.model';

const QUERY = `SELECT t.kind, t.scopes, t.created_ms, t.expires_ms, u.id AS user_id, u.username
  FROM oauth2_tokens t
  JOIN oauth2_grants g ON g.id = t.grant_id AND g.application_id = ?
  JOIN users u ON u.id = g.user_id AND u.closed_ms IS NULL AND u.disabled_ms IS NULL
  LEFT JOIN authorizations z ON z.id = g.authorization_id
  WHERE t.token_hash = ? AND t.expires_ms > ? AND t.used_ms IS NULL AND (z.expires_ms IS NULL OR z.expires_ms > ?)`;

export interface LiveToken {
  kind: 'access' | 'refresh';
  scopes: string;
  userId: number;
  username: string;
  createdMs: number;
  expiresMs: number;
}

/** Lets an application inspect and end its own tokens only. */
export class OAuth2TokenStatus {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Null if unknown or ended. */
  async find({ id }: Application, token: string): Promise<LiveToken | null> {
    const nowMs = this.clock.now();
    const values = [id, hashSecret(token), nowMs, nowMs];
    const [[row]] = await this.database.pool.query<RowDataPacket[]>(QUERY, values);
    if (!row) return null;
    return {
      kind: row.kind === 'access' ? 'access' : 'refresh',
      scopes: String(row.scopes),
      userId: Number(row.user_id),
      username: String(row.username),
      createdMs: Number(row.created_ms),
      expiresMs: Number(row.expires_ms),
    };
  }

  /** A refresh token ends all tokens of its grant. Ignores unknown tokens. */
  async end({ id: applicationId }: Application, token: string): Promise<void> {
    const found = await OAuth2Token.findOne({ where: { tokenHash: hashSecret(token) } });
    const grant = found && (await OAuth2Grant.findOne({ where: { id: found.grantId, applicationId } }));
    if (!grant) return;
    if (found.kind === 'refresh') await grant.destroy();
    else await found.destroy();
  }
}
