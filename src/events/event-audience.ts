import { SENSOR_VIEWERS } from '../storage/sensor-visibility';
import type { RunSql } from '../storage/transaction';
import { EVENT_CATALOGUE, type EventName } from './event-catalogue';

/** Who is notified of an event. `own`: only its user. */
type AudienceKind = 'own' | 'sensor' | 'group' | 'group-users' | 'group-sensors';

/**
 * Statements for `source_id` and `user_id`, each taking the ids of the sources once. A kind without statements is like
 * `own`.
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

/** `userId` is the owner of the subject, or the user who acted on a shared one. */
export interface EventPlace {
  subjectId: number;
  sourceId: number | null;
  userId: number;
}

/**
 * Returns for each event, in order, the users who can see its source now and have an enabled event notification. One
 * query.
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
  const found = events.map(({ sourceId }) => (sourceId === null ? [] : (audiences.get(sourceId) ?? [])));
  return audienceKindOf(name) === 'group-users' ? withoutStrangers(run, events, found) : found;
}

/** If a member hides their id, only they and members who decide about others are notified about them. */
async function withoutStrangers(
  run: RunSql,
  events: readonly EventPlace[],
  audiences: readonly number[][],
): Promise<number[][]> {
  const groups = [
    ...new Set(events.flatMap(({ sourceId }, index) => (audiences[index]?.length ? (sourceId ?? []) : []))),
  ];
  if (groups.length === 0) return [...audiences];
  const members = async (condition: string, values: unknown[]) => {
    const sql = `SELECT group_id AS groupId, user_id AS userId FROM group_users WHERE group_id IN (?) AND ${condition}`;
    const rows = await run(sql, [groups, ...values]);
    return new Set(rows.map(({ groupId, userId }) => `${groupId} ${userId}`));
  };
  const subjects = [...new Set(events.map(({ subjectId }) => subjectId))];
  const hidden = await members('user_id IN (?) AND NOT (show_id OR agreed_id)', [subjects]);
  if (hidden.size === 0) return [...audiences];
  const deciding = await members('accepted AND (add_users OR remove_users OR edit_group)', []);
  return events.map(({ subjectId, sourceId }, index) => {
    const audience = audiences[index] ?? [];
    if (!hidden.has(`${sourceId} ${subjectId}`)) return audience;
    return audience.filter((userId) => userId === subjectId || deciding.has(`${sourceId} ${userId}`));
  });
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
