import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { RedeliveriesService } from '../notifications';
import type { Clock } from '../platform/clock';
import { InvalidInput } from '../platform/errors';
import { withoutEcho } from './without-echo';

const READ_AT_ONCE = 500;
/** A request of this length may be cut, so it is not known what an answer repeats of it. */
const CUT_LENGTH = 2_000;
/** Users named per cause. */
const NAMED = 3;
/** Deliveries that pages count: more would take seconds. */
export const LATEST_COUNTED = 20_000;

/** All given conditions must hold. */
export interface FailedGroup {
  /** The stored name: `hooks.example.org:443`, or `smtp`. */
  receiver?: string;
  userId?: number;
  notificationId?: number;
  /** Part of the latest attempt's error. */
  cause?: string;
  /** Time of the failure. */
  sinceMs?: number;
  /** Deliveries made after this one. */
  afterId?: number;
}

export interface FailedCause {
  receiver: string;
  channel: string;
  cause: string;
  count: number;
  users: number;
  /** The first users by id; an empty username for a deleted account. */
  named: readonly { id: number; username: string }[];
  firstMs: number;
  latestMs: number;
  /** Latest answer, without what was sent; null if there was none. */
  answer: { status: number | null; text: string } | null;
}

export interface RedeliveredGroup {
  matched: number;
  redelivered: number;
}

const CAUSE = `COALESCE((SELECT a.error FROM delivery_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1), '')`;

export class DeliveryGroups {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly redeliveries: Pick<RedeliveriesService, 'restartIfFailed'>,
    private readonly clock: Clock,
  ) {}

  /** Looks among the latest deliveries of all users. */
  async latestCauses(group: FailedGroup, limit: number): Promise<FailedCause[]> {
    const [[latest]] = await this.pool.query<RowDataPacket[]>('SELECT MAX(id) AS id FROM deliveries');
    return this.causes({ ...group, afterId: Number(latest?.id ?? 0) - LATEST_COUNTED }, limit);
  }

  /** Most frequent first. */
  async causes(group: FailedGroup, limit: number): Promise<FailedCause[]> {
    const { where, values } = conditionOf(group);
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT f.receiver, f.channel, f.cause, COUNT(*) AS count, COUNT(DISTINCT f.ownerId) AS users,
              GROUP_CONCAT(DISTINCT f.ownerId ORDER BY f.ownerId SEPARATOR ' ') AS userIds,
              MIN(f.finishedMs) AS firstMs, MAX(f.finishedMs) AS latestMs, MAX(f.id) AS latestId
       FROM (SELECT d.id, COALESCE(d.receiver, '') AS receiver, d.type AS channel, d.owner_id AS ownerId,
                    d.finished_ms AS finishedMs, ${CAUSE} AS cause
             FROM deliveries d WHERE ${where}) f
       ${group.cause === undefined ? '' : 'WHERE LOCATE(?, f.cause) > 0'}
       GROUP BY f.receiver, f.channel, f.cause ORDER BY count DESC, f.receiver, f.cause LIMIT ?`,
      [...values, ...(group.cause === undefined ? [] : [group.cause]), limit],
    );
    const userIdsOf = ({ userIds }: RowDataPacket) => String(userIds).split(' ').slice(0, NAMED).map(Number);
    const usernames = await this.readUsernames(rows.flatMap(userIdsOf));
    const answers = await this.readAnswers(rows.map(({ latestId }) => Number(latestId)));
    return rows.map((row) => ({
      receiver: String(row.receiver),
      channel: String(row.channel),
      cause: String(row.cause),
      count: Number(row.count),
      users: Number(row.users),
      named: userIdsOf(row).map((id) => ({ id, username: usernames.get(id) ?? '' })),
      firstMs: Number(row.firstMs),
      latestMs: Number(row.latestMs),
      answer: answers.get(Number(row.latestId)) ?? null,
    }));
  }

  /**
   * Oldest first and at most `limit`, under the owners' rules: same id, current destination, not if disabled or
   * deleted. The reconciler enqueues them.
   */
  async redeliver(
    group: FailedGroup,
    { limit, isTrial }: { limit: number; isTrial: boolean },
  ): Promise<RedeliveredGroup> {
    if (Object.values(group).every((value) => value === undefined)) {
      throw new InvalidInput('name at least one condition, such as the receiver');
    }
    // Deliveries that fail again meanwhile are not taken a second time.
    const untilMs = this.clock.now();
    const done = { matched: 0, redelivered: 0 };
    for (let afterId = 0; done.matched < limit; ) {
      const ids = await this.idsOf(group, { afterId, untilMs, limit: Math.min(READ_AT_ONCE, limit - done.matched) });
      const last = ids.at(-1);
      if (last === undefined) break;
      afterId = last;
      done.matched += ids.length;
      if (isTrial) continue;
      for (const id of ids) if (await this.redeliveries.restartIfFailed(id)) done.redelivered += 1;
    }
    return done;
  }

  private async readUsernames(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const [rows] = await this.pool.query<RowDataPacket[]>('SELECT id, username FROM users WHERE id IN (?)', [ids]);
    return new Map(rows.map(({ id, username }) => [Number(id), String(username)]));
  }

  /** Reads the answers to the last attempts. */
  private async readAnswers(ids: readonly number[]): Promise<Map<number, FailedCause['answer']>> {
    if (ids.length === 0) return new Map();
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT a.delivery_id AS id, a.status_code AS status, a.response_body AS received, a.request_body AS sent, d.destination
       FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
       WHERE a.id IN (SELECT MAX(id) FROM delivery_attempts WHERE delivery_id IN (?) GROUP BY delivery_id)
         AND (a.status_code IS NOT NULL OR a.response_body IS NOT NULL)`,
      [ids],
    );
    return new Map(
      rows.map(({ id, status, received, sent, destination }) => {
        const isKnown = received !== null && sent !== null && String(sent).length < CUT_LENGTH;
        const text = isKnown ? withoutEcho(String(received), [String(sent), String(destination)]) : '';
        return [Number(id), { status: status === null ? null : Number(status), text }];
      }),
    );
  }

  private async idsOf(
    group: FailedGroup,
    { afterId, untilMs, limit }: { afterId: number; untilMs: number; limit: number },
  ): Promise<number[]> {
    const { where, values } = conditionOf(group);
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT d.id FROM deliveries d WHERE ${where} AND d.id > ? AND d.finished_ms <= ?
       ${group.cause === undefined ? '' : `AND LOCATE(?, ${CAUSE}) > 0`} ORDER BY d.id LIMIT ?`,
      [...values, afterId, untilMs, ...(group.cause === undefined ? [] : [group.cause]), limit],
    );
    return rows.map(({ id }) => Number(id));
  }
}

function conditionOf(group: FailedGroup): { where: string; values: unknown[] } {
  const { receiver, userId, notificationId, sinceMs, afterId } = group;
  const conditions: [string, unknown][] = [
    ['d.receiver = ?', receiver],
    ['d.owner_id = ?', userId],
    ['d.notification_id = ?', notificationId],
    ['d.finished_ms >= ?', sinceMs],
    ['d.id > ?', afterId],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    // What a digest holds is counted and sent again with the digest.
    where: ["d.status = 'failed' AND d.digest_id IS NULL", ...given.map(([condition]) => condition)].join(' AND '),
    values: given.map(([, value]) => value),
  };
}
