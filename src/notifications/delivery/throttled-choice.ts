import type { Pool, RowDataPacket } from 'mysql2/promise';
import { LruCache } from '../../platform/lru-cache';
import { roundRobin } from '../../platform/round-robin';
import { isNotPaused } from './delivery-rows';
import type { WantedThrottled } from './throttled-rows';

/** Maximum number of owners that one choice for a receiver looks at. */
const OWNERS_AT_ONCE = 8;
/** Maximum number of receivers whose next owner is cached. */
const RECEIVERS = 10_000;
const BY_OWNER = 'FORCE INDEX (throttled_deliveries_owner)';

interface OwnerRow extends RowDataPacket {
  receiver: string;
  ownerId: number;
}

/** Throttled deliveries of one owner that wait for one receiver. */
interface Share extends WantedThrottled {
  ownerId: number;
}

/**
 * Chooses which throttled deliveries get the next permits of their receivers: round-robin over owners, so that no owner
 * waits for the backlog of another one at the same receiver. The most urgent of an owner come first.
 */
export class ThrottledChoice {
  /** The first owner of the last choice, by receiver. It only makes this process fair: losing it does no harm. */
  private readonly latest = new LruCache<string, number>(RECEIVERS);

  constructor(private readonly pool: Pool) {}

  /**
   * The ids of so many throttled deliveries of each receiver, by receiver, without locking them. There may be fewer if an
   * owner has fewer than an equal share. A paused receiver gets none.
   */
  async chooseOfEach(wanted: readonly WantedThrottled[]): Promise<Map<string, number[]>> {
    const shares = await this.sharesOf(wanted);
    if (shares.length === 0) return new Map();
    const ofOne = `(SELECT d.receiver AS receiver, d.owner_id AS ownerId, d.delivery_id AS id FROM throttled_deliveries d ${BY_OWNER}
                    WHERE d.receiver = ? AND d.owner_id = ? AND ${isNotPaused('d')}
                    ORDER BY d.priority_rank, d.delivery_id LIMIT ?)`;
    const [rows] = await this.pool.query<(OwnerRow & { id: number })[]>(
      shares.map((_, index) => `SELECT receiver, ownerId, id FROM ${ofOne} r${index}`).join(' UNION ALL '),
      shares.flatMap(({ receiver, ownerId, count }) => [receiver, ownerId, count]),
    );
    const chosen = [...byReceiver(rows)].map(([receiver, found]) => {
      const mixed = roundRobin(found, ({ ownerId }) => ownerId);
      return [receiver, mixed.map(({ id }) => id)] as const;
    });
    return new Map(chosen);
  }

  /** How many deliveries of which owners, in the order of a round-robin. Each choice begins with the next owner. */
  private async sharesOf(wanted: readonly WantedThrottled[]): Promise<Share[]> {
    const ofOne = (sign: '>' | '<=') =>
      `SELECT receiver, ownerId FROM (SELECT receiver, owner_id AS ownerId FROM throttled_deliveries ${BY_OWNER}
         WHERE receiver = ? AND owner_id ${sign} ? GROUP BY receiver, owner_id ORDER BY owner_id LIMIT ?)`;
    const parts: string[] = [];
    const values: (string | number)[] = [];
    for (const { receiver, count } of wanted) {
      const part = [receiver, this.latest.find(receiver) ?? -1, Math.min(count, OWNERS_AT_ONCE)];
      parts.push(`${ofOne('>')} r${parts.length}`, `${ofOne('<=')} r${parts.length + 1}`);
      values.push(...part, ...part);
    }
    const [rows] = await this.pool.query<OwnerRow[]>(parts.join(' UNION ALL '), values);
    const waiting = byReceiver(rows);
    return wanted.flatMap(({ receiver, count }) => {
      const after = this.latest.find(receiver) ?? -1;
      const owners = inRound(waiting.get(receiver) ?? [], after).slice(0, Math.min(count, OWNERS_AT_ONCE));
      const [first] = owners;
      if (first !== undefined) this.latest.set(receiver, first);
      return owners.map((ownerId) => ({ receiver, ownerId, count: Math.ceil(count / owners.length) }));
    });
  }
}

function byReceiver<T extends OwnerRow>(rows: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) found.set(row.receiver, [...(found.get(row.receiver) ?? []), row]);
  return found;
}

/** These owners, beginning with the one after the given one. */
function inRound(rows: readonly OwnerRow[], after: number): number[] {
  const owners = rows.map(({ ownerId }) => Number(ownerId)).sort((a, b) => a - b);
  return [...owners.filter((id) => id > after), ...owners.filter((id) => id <= after)];
}
