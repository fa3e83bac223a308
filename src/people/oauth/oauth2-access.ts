import type { RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { AccountDisabled } from '../../platform/errors';
import { SCOPES } from '../../platform/scopes';
import type { Database } from '../../storage';
import type { BearerKind } from '../accounts/bearer-tokens';
import { HashLookup, unlessDisabled } from '../accounts/session-lookup';
import type { AuthorizationsService } from './authorizations.service';
import { isAccessToken } from './oauth2-tokens';

const QUERY = `SELECT t.id, t.token_hash, t.scopes, u.id AS user_id, u.username, z.id AS authorization_id, z.last_used_ms, a.id AS application_id, u.disabled_ms
  FROM oauth2_tokens t
  JOIN oauth2_grants g ON g.id = t.grant_id
  JOIN applications a ON a.id = g.application_id AND a.closed_ms IS NULL
  JOIN users o ON o.id = a.owner_id AND o.closed_ms IS NULL
  JOIN users u ON u.id = g.user_id AND u.closed_ms IS NULL
  LEFT JOIN authorizations z ON z.id = g.authorization_id
  WHERE t.token_hash IN (?) AND t.kind = 'access' AND (o.disabled_ms IS NULL OR o.id = u.id) AND t.expires_ms > ? AND (z.expires_ms IS NULL OR z.expires_ms > ?)`;

export class OAuth2Access implements BearerKind {
  private readonly lookup = new HashLookup((hashes) => this.read(hashes));

  constructor(
    private readonly database: Database,
    private readonly authorizations: AuthorizationsService,
    private readonly clock: Clock,
  ) {}

  recognises(token: string): boolean {
    return isAccessToken(token);
  }

  find(token: string): Promise<Identity | null> {
    return this.lookup.find(token);
  }

  private async read(hashes: readonly string[]): Promise<Map<string, Identity | AccountDisabled>> {
    const nowMs = this.clock.now();
    const [rows] = await this.database.uploads.query<(RowDataPacket & { disabled_ms: number | null })[]>(QUERY, [
      hashes,
      nowMs,
      nowMs,
    ]);
    for (const { authorization_id, last_used_ms } of rows) {
      const lastUsedMs = last_used_ms === null ? null : Number(last_used_ms);
      if (authorization_id !== null) this.authorizations.recordUse({ id: Number(authorization_id), lastUsedMs });
    }
    return new Map(rows.map((row) => [String(row.token_hash), unlessDisabled(row, toIdentity)]));
  }
}

function toIdentity(row: RowDataPacket): Identity {
  const names = String(row.scopes).split(' ');
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  const applicationId = Number(row.application_id);
  const credential = { kind: 'oauth2', id: Number(row.id), scopes, applicationId } as const;
  return { userId: Number(row.user_id), username: String(row.username), credential };
}
