import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { type AccountDisabled, OAuth1Refused } from '../../platform/errors';
import type { Scope } from '../../platform/scopes';
import type { SecretBox } from '../../platform/secret-box';
import { HashLookup, unlessDisabled } from '../accounts/session-lookup';
import type { AuthorizationsService } from './authorizations.service';
import type { SigningSecrets } from './oauth1/signature';
import type { ArrivedRequest } from './oauth1/signed-request';
import { type ReadRequest, refusal, type SignedRequests } from './signed-requests';

/** The protocol has no scopes. */
export const OAUTH1_SCOPES: readonly Scope[] = ['read', 'write'];

const QUERY = `SELECT t.id, t.token_hash, t.encrypted_secret AS token_secret, a.id AS application_id, a.consumer_key,
    a.encrypted_secret AS consumer_secret,
    LEAST(COALESCE(t.expires_ms, z.expires_ms), COALESCE(z.expires_ms, t.expires_ms)) AS expires_ms,
    z.id AS authorization_id, z.last_used_ms, u.id AS user_id, u.username, u.disabled_ms
  FROM oauth1_tokens t
  JOIN applications a ON a.id = t.application_id AND a.closed_ms IS NULL
  JOIN users o ON o.id = a.owner_id AND o.closed_ms IS NULL
  JOIN authorizations z ON z.id = t.authorization_id
  JOIN users u ON u.id = z.user_id AND u.closed_ms IS NULL
  WHERE t.token_hash IN (?) AND t.kind = 'access' AND (o.disabled_ms IS NULL OR o.id = u.id)`;

interface TokenRow extends RowDataPacket {
  id: number;
  token_hash: string;
  token_secret: string;
  application_id: number;
  consumer_key: string;
  consumer_secret: string;
  expires_ms: number | null;
  authorization_id: number;
  last_used_ms: number | null;
  user_id: number;
  username: string;
  disabled_ms: number | null;
}

export class OAuth1Access {
  private readonly lookup = new HashLookup((hashes) => this.readTokens(hashes));

  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
    private readonly requests: SignedRequests,
    private readonly authorizations: Pick<AuthorizationsService, 'recordUse'>,
    private readonly clock: Clock,
  ) {}

  /** Throws OAuth1Refused for a wrong signature or an ended token. */
  async find(arrived: ArrivedRequest, network: string): Promise<Identity> {
    const request = this.requests.read(arrived, network);
    const row = await this.findToken(request);
    await this.requests.check(request, this.secretsOf(row, request));
    return this.identityOf(row);
  }

  /** Throws OAuth1Refused if the token has ended. */
  async findAgain(arrived: ArrivedRequest, network: string): Promise<Identity> {
    return this.identityOf(await this.findToken(this.requests.read(arrived, network)));
  }

  private identityOf(row: TokenRow): Identity {
    if (row.expires_ms !== null && row.expires_ms <= this.clock.now()) {
      throw refusal('token_expired', 'the token has expired: ask the user again');
    }
    this.authorizations.recordUse({ id: row.authorization_id, lastUsedMs: row.last_used_ms });
    const { id, application_id: applicationId } = row;
    const credential = { kind: 'oauth1', id, scopes: OAUTH1_SCOPES, applicationId } as const;
    return { userId: row.user_id, username: row.username, credential };
  }

  /** Checks the signature before the body is read; undefined if it is wrong or needs the body. */
  async findPayer(arrived: ArrivedRequest, network: string): Promise<number | undefined> {
    try {
      const request = this.requests.read(arrived, network);
      const row = await this.findToken(request);
      return this.requests.isSigned(request, this.secretsOf(row, request)) ? row.user_id : undefined;
    } catch (error) {
      if (error instanceof OAuth1Refused) return undefined;
      throw error;
    }
  }

  private secretsOf(row: TokenRow, { parameters: { consumerKey } }: ReadRequest): SigningSecrets {
    const consumer = this.secrets.open(row.consumer_secret, consumerKey);
    return { consumer, token: this.secrets.open(row.token_secret, row.token_hash) };
  }

  private async findToken({ parameters: { token, consumerKey } }: ReadRequest): Promise<TokenRow> {
    if (!token) throw refusal('parameter_absent', 'send oauth_token', [['oauth_parameters_absent', 'oauth_token']]);
    const row = await this.lookup.find(token);
    if (row && row.consumer_key === consumerKey) return row;
    throw refusal('token_rejected', 'oauth_token is unknown to this application, or was revoked');
  }

  private async readTokens(hashes: readonly string[]): Promise<Map<string, TokenRow | AccountDisabled>> {
    const [rows] = await this.pool.query<TokenRow[]>(QUERY, [hashes]);
    return new Map(rows.map((row) => [row.token_hash, unlessDisabled(row, (live) => live)]));
  }
}
