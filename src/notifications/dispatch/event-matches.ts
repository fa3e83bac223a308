import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { audiencePart, type EventInterest, isFromSource, nextPortion } from '../events/event-matching';
import type { WaitingEvent } from './waiting-events';

export interface DispatchLimits {
  /** Maximum number of deliveries to insert. */
  matches: number;
  /** Maximum number of users whose event notifications are read. */
  users: number;
}

export const DISPATCH_LIMITS: DispatchLimits = { matches: 500, users: 2_000 };

export interface Interest extends EventInterest {
  notificationId: number;
}

/** `doneUserId` is the last user of the audience that is done; null if all are. */
export interface EventPortion {
  event: WaitingEvent;
  interests: Interest[];
  doneUserId: number | null;
}

/** Keeps the order of the events. */
export async function takePortions(
  connection: PoolConnection,
  events: readonly WaitingEvent[],
  limits: DispatchLimits,
): Promise<EventPortion[]> {
  const reader = new InterestReader(connection, limits.matches);
  const portions: EventPortion[] = [];
  let { matches, users } = limits;
  for (const event of events) {
    if (users <= 0) break;
    const part = audiencePart(event.audience, event.doneUserId, users);
    users -= part.users.length;
    const interests = await reader.read(event, part.users);
    const portion = nextPortion(part, interests, matches, limits.matches);
    if (!portion) break;
    portions.push({ event, ...portion });
    matches -= portion.interests.length;
    // The rest of this event comes before the next event.
    if (portion.doneUserId !== null) break;
  }
  return portions;
}

/** Reads once for all events with one name and audience. */
class InterestReader {
  private readonly known = new Map<string, Interest[]>();

  constructor(
    private readonly connection: PoolConnection,
    private readonly most: number,
  ) {}

  /** Ordered by owner, priority and age; at most one more than `most`. Leaves out those with a delivery. */
  async read(event: WaitingEvent, users: readonly number[]): Promise<Interest[]> {
    if (users.length === 0) return [];
    if (event.doneUserId !== null) return this.readLeft(event, users);
    const key = `${event.name} ${users.join()}`;
    const interests = this.known.get(key) ?? (await this.query(event.name, users));
    this.known.set(key, interests);
    if (interests.length > this.most) return this.readLeft(event, users);
    return interests.filter((interest) => isFromSource(interest, event.sourceId));
  }

  /** The deliveries of earlier transactions show which event notifications are done. */
  private readLeft({ id, name, sourceId }: WaitingEvent, users: readonly number[]): Promise<Interest[]> {
    const and = `AND (m.source_id IS NULL OR m.source_id = ?)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = ? AND d.event_notification_id = m.id)`;
    return this.query(name, users, and, [sourceId, id]);
  }

  private async query(name: string, users: readonly number[], and = '', values: unknown[] = []): Promise<Interest[]> {
    const [rows] = await this.connection.query<(RowDataPacket & Interest)[]>(
      `SELECT m.id, m.owner_id AS ownerId, m.source_id AS sourceId, m.priority, m.notification_id AS notificationId
       FROM event_notifications m JOIN notifications n ON n.id = m.notification_id AND n.enabled = TRUE
         JOIN users u ON u.id = m.owner_id AND u.disabled_ms IS NULL
       WHERE m.owner_id IN (?) AND m.event = ? AND m.enabled = TRUE ${and}
       ORDER BY m.owner_id, m.priority DESC, m.id LIMIT ?`,
      [users, name, ...values, this.most + 1],
    );
    return rows;
  }
}
