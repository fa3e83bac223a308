import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { NotFound } from '../platform/errors';
import { countStoredOf, type StoredData } from '../points';
import { likeText } from '../storage/like-text';
import type { Reader } from '../storage/read-pool';

const DAY_MS = 86_400_000;

export const SORTS = {
  username: 'u.username_key',
  created: 'u.created_ms DESC',
  seen: 'seenMs DESC',
  sensors: 'sensors DESC',
  points: 'points DESC',
  deliveries: 'deliveries DESC',
} as const;
export type UserSort = keyof typeof SORTS;

export interface UserUsage {
  id: number;
  username: string;
  email: string;
  /** `unknown` if no mail was sent yet. */
  emailState: 'confirmed' | 'unconfirmed' | 'unsubscribed' | 'unknown';
  createdMs: number;
  /** Latest use of an existing session or key, accurate to an hour; null if never. */
  seenMs: number | null;
  disabledMs: number | null;
  sensors: number;
  /** Stored in the last 24 hours, by whole hours. */
  points: number;
  /** Arrived in the last 24 hours, by whole hours. A digest is one. */
  deliveries: number;
}

const USERS = `SELECT u.id, u.username, u.email, u.created_ms AS createdMs, u.disabled_ms AS disabledMs,
    NULLIF(GREATEST(COALESCE(l.ms, 0), COALESCE(k.ms, 0)), 0) AS seenMs, COALESCE(s.count, 0) AS sensors,
    COALESCE(h.points, 0) AS points, COALESCE(h.deliveries, 0) AS deliveries
  FROM users u
  LEFT JOIN (SELECT owner_id, COUNT(*) AS count FROM sensors GROUP BY owner_id) s ON s.owner_id = u.id
  LEFT JOIN (SELECT user_id, MAX(used_ms) AS ms FROM sessions GROUP BY user_id) l ON l.user_id = u.id
  LEFT JOIN (SELECT owner_id, MAX(used_ms) AS ms FROM api_keys GROUP BY owner_id) k ON k.owner_id = u.id
  LEFT JOIN (SELECT user_id, SUM(points) AS points, SUM(deliveries) AS deliveries FROM user_hours
             WHERE hour_ms > ? GROUP BY user_id) h ON h.user_id = u.id
  WHERE u.closed_ms IS NULL`;

export interface UserQuery {
  /** A part of the username or the email address; `''` for all. */
  search: string;
  sort: UserSort;
  offset: number;
  limit: number;
}

export class UserUsages {
  constructor(
    private readonly reads: Reader,
    private readonly clock: Clock,
  ) {}

  async list({ search, sort, offset, limit }: UserQuery): Promise<{ users: UserUsage[]; total: number }> {
    const text = likeText(search);
    const [and, values] = search === '' ? ['', []] : ['AND (u.username LIKE ? OR u.email LIKE ?)', [text, text]];
    const [[count]] = await this.reads.query<RowDataPacket[]>(
      `SELECT COUNT(*) AS count FROM users u WHERE u.closed_ms IS NULL ${and}`,
      values,
    );
    const order = `${SORTS[sort]}, u.id`;
    const users = await this.read(`${USERS} ${and} ORDER BY ${order} LIMIT ? OFFSET ?`, [...values, limit, offset]);
    return { users, total: Number(count?.count ?? 0) };
  }

  /** Throws NotFound, also for a closed account. */
  async find(id: number): Promise<UserUsage> {
    const [user] = await this.read(`${USERS} AND u.id = ?`, [id]);
    if (!user) throw new NotFound('the user');
    return user;
  }

  /** Null if counting takes too long. */
  async stored(id: number): Promise<StoredData | null> {
    return countStoredOf(this.reads, id).catch(() => null);
  }

  private async read(sql: string, values: unknown[]): Promise<UserUsage[]> {
    const [rows] = await this.reads.query<RowDataPacket[]>(sql, [this.clock.now() - DAY_MS, ...values]);
    if (rows.length === 0) return [];
    const states = await this.readEmailStates(rows.map(({ id }) => Number(id)));
    return rows.map((row) => ({
      id: Number(row.id),
      username: String(row.username),
      email: String(row.email),
      emailState: states.get(Number(row.id)) ?? 'unknown',
      createdMs: Number(row.createdMs),
      seenMs: row.seenMs === null ? null : Number(row.seenMs),
      disabledMs: row.disabledMs === null ? null : Number(row.disabledMs),
      sensors: Number(row.sensors),
      points: Number(row.points),
      deliveries: Number(row.deliveries),
    }));
  }

  private async readEmailStates(ids: readonly number[]): Promise<Map<number, UserUsage['emailState']>> {
    const [rows] = await this.reads.query<RowDataPacket[]>(
      `SELECT u.id, m.confirmed_ms IS NOT NULL AS isConfirmed, m.unsubscribed_ms IS NOT NULL AS isUnsubscribed
       FROM users u JOIN mail_recipients m ON m.owner_id = u.id AND m.address = LOWER(u.email) WHERE u.id IN (?)`,
      [ids],
    );
    return new Map(
      rows.map(({ id, isConfirmed, isUnsubscribed }) => {
        const state = isUnsubscribed ? 'unsubscribed' : isConfirmed ? 'confirmed' : 'unconfirmed';
        return [Number(id), state];
      }),
    );
  }
}
