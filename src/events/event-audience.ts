import { SENSOR_VIEWERS } from '../database/sensor-visibility';
import type { RunSql } from '../database/transaction';
import { EVENT_CATALOGUE, type EventName } from '../domain/event-catalogue';

/** What a user must be able to see to be notified of an event. With `own` only the user of the event is notified. */
type AudienceKind = 'own' | 'sensor' | 'group' | 'group-users' | 'group-sensors';

/**
 * Who sees a source: each statement selects the source (`source_id`) and a user (`user_id`), and takes the ids of the
 * sources once. A kind without statements is like `own`.
 */
const VIEWERS: Readonly<Partial<Record<AudienceKind, readonly string[]>>> = {
  sensor: SENSOR_VIEWERS,
  group: ['SELECT group_id AS source_id, user_id FROM group_users WHERE group_id IN (?) AND accepted = TRUE'],
  'group-users': [
    'SELECT group_id AS source_id, user_id FROM group_users WHERE group_id IN (?) AND accepted = TRUE AND list_users = TRUE',
  ],
  'group-sensors': [
    'SELECT group_id AS source_id, user_id FROM group_users WHERE group_id IN (?) AND accepted = TRUE AND list_sensors = TRUE',
  ],
};

/** Where an event happened; `userId` is the owner of the subject, or the user who acted on a shared one. */
export interface EventPlace {
  sourceId: number | null;
  userId: number;
}

/**
 * The audiences of events of one name: for each event, in order, the users who can see its source at this moment and have
 * an enabled event notification for it. One query, however many events there are.
 */
export async function readAudiences(run: RunSql, name: EventName, events: readonly EventPlace[]): Promise<number[][]> {
  const ways = VIEWERS[audienceKindOf(name)];
  if (!ways) {
    const listening = await readOwners(run, name, new Set(events.map(({ userId }) => userId)));
    return events.map(({ userId }) => (listening.has(userId) ? [userId] : []));
  }
  const sources = [...new Set(events.flatMap(({ sourceId }) => sourceId ?? []))];
  if (sources.length === 0) return events.map(() => []);
  const rows = await run(
    `SELECT DISTINCT v.source_id AS sourceId, v.user_id AS userId
     FROM (${ways.join(' UNION ')}) v
     JOIN event_notifications m ON m.owner_id = v.user_id AND m.event = ? AND m.enabled = TRUE
          AND (m.source_id IS NULL OR m.source_id = v.source_id)
     ORDER BY v.source_id, v.user_id`,
    [...ways.map(() => sources), name],
  );
  const audiences = new Map<number, number[]>();
  for (const row of rows) {
    const sourceId = Number(row.sourceId);
    const audience = audiences.get(sourceId) ?? [];
    audience.push(Number(row.userId));
    audiences.set(sourceId, audience);
  }
  return events.map(({ sourceId }) => (sourceId === null ? [] : (audiences.get(sourceId) ?? [])));
}

async function readOwners(run: RunSql, name: EventName, userIds: Set<number>): Promise<Set<number>> {
  const rows = await run(
    'SELECT DISTINCT owner_id AS userId FROM event_notifications WHERE event = ? AND enabled = TRUE AND owner_id IN (?)',
    [name, [...userIds]],
  );
  return new Set(rows.map((row) => Number(row.userId)));
}

function audienceKindOf(name: EventName): AudienceKind {
  const { subject, source } = EVENT_CATALOGUE[name];
  if (source === 'sensor') return 'sensor';
  if (source !== 'group') return 'own';
  if (subject === 'user') return 'group-users';
  return subject === 'sensor' ? 'group-sensors' : 'group';
}
