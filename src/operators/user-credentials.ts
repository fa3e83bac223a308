import type { Pool, RowDataPacket } from 'mysql2/promise';
import { type AuthorizationsService, findUser, type KeysService, type SessionsService } from '../people';
import { NotFound } from '../platform/errors';

export interface UserCredential {
  id: number;
  /** The login's address, the key's name, or the application's. */
  name: string;
  /** All of them for a session. */
  scopes: string;
  createdMs: number;
  usedMs: number | null;
  expiresMs: number | null;
}

export type CredentialKind = 'session' | 'key' | 'authorization';

const QUERIES: Record<CredentialKind, string> = {
  session: `SELECT id, address AS name, 'everything' AS scopes, created_ms AS createdMs, used_ms AS usedMs, NULL AS expiresMs
            FROM sessions WHERE user_id = ? ORDER BY id`,
  key: `SELECT id, name, scopes, created_ms AS createdMs, used_ms AS usedMs, expires_ms AS expiresMs
        FROM api_keys WHERE owner_id = ? ORDER BY id`,
  authorization: `SELECT z.id, a.name, z.scopes, z.created_ms AS createdMs, z.last_used_ms AS usedMs, z.expires_ms AS expiresMs
                  FROM authorizations z JOIN applications a ON a.id = z.application_id WHERE z.user_id = ? ORDER BY z.id`,
};

export class UserCredentials {
  constructor(
    private readonly pool: Pool,
    private readonly keys: Pick<KeysService, 'delete'>,
    private readonly authorizations: Pick<AuthorizationsService, 'end'>,
    private readonly sessions: Pick<SessionsService, 'end'>,
  ) {}

  /** Takes a name, or an id after `id:`. Throws NotFound. */
  async user(name: string): Promise<{ id: number; username: string }> {
    const id = /^id:(\d{1,15})$/.exec(name)?.[1];
    const user = await findUser(id === undefined ? { username: name } : { id });
    return { id: user.id, username: user.username };
  }

  async list(kind: CredentialKind, userId: number): Promise<UserCredential[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(QUERIES[kind], [userId]);
    return rows.map(({ id, name, scopes, createdMs, usedMs, expiresMs }) => ({
      id: Number(id),
      name: String(name),
      scopes: String(scopes),
      createdMs: Number(createdMs),
      usedMs: usedMs === null ? null : Number(usedMs),
      expiresMs: expiresMs === null ? null : Number(expiresMs),
    }));
  }

  /** Without an id all of the kind. Returns their number. Throws NotFound. */
  async end(kind: CredentialKind, userId: number, id?: number): Promise<number> {
    const known = (await this.list(kind, userId)).map((each) => each.id);
    if (id !== undefined && !known.includes(id)) throw new NotFound(`the ${kind} ${id} of this user`);
    let ended = 0;
    for (const each of id === undefined ? known : [id]) ended += await this.endOne(kind, userId, each);
    return ended;
  }

  private async endOne(kind: CredentialKind, userId: number, id: number): Promise<number> {
    return this.ending(kind, userId, id).then(
      () => 1,
      (error: unknown) => {
        if (error instanceof NotFound) return 0; // its user was faster
        throw error;
      },
    );
  }

  private ending(kind: CredentialKind, userId: number, id: number): Promise<void> {
    if (kind === 'session') return this.sessions.end(userId, id);
    return kind === 'key' ? this.keys.delete(userId, id) : this.authorizations.end(userId, id);
  }
}
