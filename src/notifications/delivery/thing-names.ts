import type { Pool } from 'mysql2/promise';
import type { EventThing } from '../../events/event-catalogue';
import { findKnownNames } from '../../storage/known-users';
import { readSensorViewers } from '../../storage/sensor-visibility';
import { type RunSql, runOn } from '../../storage/transaction';
import { type LabelledNotification, labelOf } from '../notifications/notification-label';

export interface Thing {
  kind: EventThing;
  id: number;
}

/** Null if the thing was deleted, has no name, or the user may not see it. */
export type ThingNames = (thing: Thing | null) => string | null;

const LABEL_COLUMNS = 'n.type, n.name, n.preset, n.destination';
const QUERIES: Partial<Record<EventThing, string>> = {
  environment: 'SELECT id, name FROM environments WHERE id IN (?) AND owner_id = ?',
  trigger: 'SELECT id, name FROM triggers WHERE id IN (?) AND owner_id = ?',
  key: 'SELECT id, name FROM api_keys WHERE id IN (?) AND owner_id = ?',
  group: `SELECT g.id, g.name FROM user_groups g JOIN group_users m ON m.group_id = g.id
    WHERE g.id IN (?) AND m.user_id = ? AND m.accepted`,
  invitation: `SELECT i.id, COALESCE(g.name, s.name) AS name FROM invitations i LEFT JOIN user_groups g ON g.id = i.group_id
    LEFT JOIN sensors s ON s.id = i.sensor_id WHERE i.id IN (?) AND i.user_id = ?`,
  notification: `SELECT n.id, ${LABEL_COLUMNS} FROM notifications n WHERE n.id IN (?) AND n.owner_id = ?`,
  delivery: `SELECT d.id, ${LABEL_COLUMNS} FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE d.id IN (?) AND n.owner_id = ?`,
};

/** Reads the names that the user may see. */
export async function readThingNames(
  pool: Pool,
  userId: number,
  things: readonly (Thing | null)[],
): Promise<ThingNames> {
  const wanted = new Map<EventThing, Set<number>>();
  for (const thing of things) {
    if (thing !== null) wanted.set(thing.kind, (wanted.get(thing.kind) ?? new Set()).add(thing.id));
  }
  const run = runOn(pool);
  const read = async ([kind, ids]: [EventThing, ReadonlySet<number>]) =>
    (await readRows(run, kind, [...ids], userId)).map((row) => [`${kind} ${row.id}`, nameIn(row)] as const);
  const names = new Map((await Promise.all([...wanted].map(read))).flat());
  return (thing) => (thing && names.get(`${thing.kind} ${thing.id}`)) ?? null;
}

async function readRows(run: RunSql, kind: EventThing, ids: readonly number[], userId: number) {
  if (kind === 'sensor') {
    const viewers = await readSensorViewers(run, ids, [userId]);
    const visible = ids.filter((id) => viewers.has(`${id} ${userId}`));
    return visible.length === 0 ? [] : run('SELECT id, name FROM sensors WHERE id IN (?)', [visible]);
  }
  if (kind === 'user') {
    const known = await findKnownNames(run, userId, ids);
    const visible = ids.filter((id) => id === userId || known.has(id));
    return visible.length === 0 ? [] : run('SELECT id, username AS name FROM users WHERE id IN (?)', [visible]);
  }
  const sql = QUERIES[kind];
  return sql === undefined ? [] : run(sql, [ids, userId]);
}

function nameIn(row: Readonly<Record<string, unknown>>): string {
  // the rows have the LABEL_COLUMNS
  return 'destination' in row ? labelOf(row as unknown as LabelledNotification) : String(row.name);
}
