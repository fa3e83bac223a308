import type { Pool, RowDataPacket } from 'mysql2/promise';
import { EVENT_CATALOGUE, type EventThing, isEventName } from '../rules/event-catalogue';
import { type LabelledNotification, labelOf } from '../rules/notification-label';
import { showsAlert } from './alerts';
import type { DeliveryRow } from './attempt';
import type { EventNames } from './channels/channel';

const LABEL_COLUMNS = 'n.type, n.name, n.preset, n.destination';
/** Read a thing by its id and the user who may see it: the owner, or a member of a group. */
const QUERIES: Partial<Record<EventThing, string>> = {
  sensor: 'SELECT name FROM sensors WHERE id = ? AND owner_id = ?',
  environment: 'SELECT name FROM environments WHERE id = ? AND owner_id = ?',
  trigger: 'SELECT name FROM triggers WHERE id = ? AND owner_id = ?',
  group: `SELECT g.name FROM user_groups g JOIN group_users m ON m.group_id = g.id
    WHERE g.id = ? AND m.user_id = ? AND m.accepted`,
  notification: `SELECT ${LABEL_COLUMNS} FROM notifications n WHERE n.id = ? AND n.owner_id = ?`,
  delivery: `SELECT ${LABEL_COLUMNS} FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE d.id = ? AND n.owner_id = ?`,
};

/**
 * The names of the subject and the source of an event, where the delivery shows them and its owner may see them.
 * Undefined for a delivery that no event caused.
 */
export async function findEventNames(pool: Pool, row: DeliveryRow): Promise<EventNames | undefined> {
  const { event, subject_id, source_id, owner_id } = row;
  if (event === null || !isEventName(event) || !showsAlert(row)) return undefined;
  const { subject, source } = EVENT_CATALOGUE[event];
  const find = (kind: EventThing | null, id: number | null) => findName(pool, { kind, id, userId: owner_id });
  const named = { subject: await find(subject, subject_id), source: await find(source, source_id) };
  return { ...(named.subject && { subject: named.subject }), ...(named.source && { source: named.source }) };
}

async function findName(
  pool: Pool,
  { kind, id, userId }: { kind: EventThing | null; id: number | null; userId: number },
): Promise<string | undefined> {
  const sql = kind === null ? undefined : QUERIES[kind];
  if (sql === undefined || id === null) return undefined;
  const [[found]] = await pool.query<(RowDataPacket & LabelledNotification)[]>(sql, [id, userId]);
  if (!found) return undefined;
  return found.destination === undefined ? (found.name ?? undefined) : labelOf(found);
}
