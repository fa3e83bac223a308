import type { Pool, RowDataPacket } from 'mysql2/promise';
import { fieldsOf } from '../../language/expression-fields';
import { shownPart } from '../../language/expression-tokens';
import { fieldWordsIn, type Word } from '../../language/notification-text';
import { whyNoField } from '../../language/value-fields';
import { newestValueSql } from '../../points';
import { Notification } from '../../storage/models/notification.model';
import { compileUrl } from '../requests/url-template';
import { compileBody, JSON_TYPE } from '../requests/webhook-body';
import { bodyOf } from '../requests/webhook-request';

/** Maximum number of sensors that are checked. What these lack is worth a warning, even if other sensors have it. */
export const MAX_CONNECTED_SENSORS = 20;

/** What is known of the values of a sensor: how its owner describes them, and the latest one. */
export interface KnownValue {
  dataStructure: string;
  value: string | null;
}

/** The sensors of a notification, of a trigger, or of a trigger on one sensor. */
export type ConnectedSensors = { notificationId: number } | { triggerId: number; sensorId?: number | undefined };

interface KnownRow extends RowDataPacket, KnownValue {}

/** Reads what is known of the values of at most 20 connected sensors of a user. */
export async function readKnownValues(pool: Pool, ownerId: number, of: ConnectedSensors): Promise<KnownValue[]> {
  const { where, values } = connectionsOf(of);
  const [rows] = await pool.query<KnownRow[]>(
    `SELECT s.data_structure AS dataStructure, COALESCE(${newestValueSql('s.id')}, st.last_data_value) AS value
     FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id
     WHERE s.owner_id = ? AND ${where} ORDER BY st.id LIMIT ?`,
    [ownerId, ...values, MAX_CONNECTED_SENSORS],
  );
  return rows;
}

function connectionsOf(of: ConnectedSensors): { where: string; values: number[] } {
  if ('triggerId' in of) {
    const { triggerId, sensorId } = of;
    const where = `st.trigger_id = ?${sensorId === undefined ? '' : ' AND st.sensor_id = ?'}`;
    return { where, values: sensorId === undefined ? [triggerId] : [triggerId, sensorId] };
  }
  const single = 'SELECT sensor_trigger_id AS id FROM sensor_trigger_notifications WHERE notification_id = ? LIMIT ?';
  const whole = `SELECT c.id FROM trigger_notifications tn JOIN sensor_triggers c ON c.trigger_id = tn.trigger_id
     WHERE tn.notification_id = ? LIMIT ?`;
  return {
    where: `st.id IN (SELECT id FROM ((${single}) UNION (${whole})) connected)`,
    values: [of.notificationId, MAX_CONNECTED_SENSORS, of.notificationId, MAX_CONNECTED_SENSORS],
  };
}

/**
 * The warning for the first of these notifications whose texts show a field or an item that the values of no connected
 * sensor have. Undefined if there is none, or if nothing is known about one of the sensors.
 */
export async function findEmptyField(
  pool: Pool,
  notifications: readonly Notification[],
  of: ConnectedSensors,
): Promise<string | undefined> {
  const showing = notifications
    .map((notification) => ({ notification, fields: fieldsShownBy(notification) }))
    .filter(({ fields }) => fields.length > 0);
  const [first] = showing;
  if (first === undefined) return undefined;
  const known = await readKnownValues(pool, first.notification.ownerId, of);
  for (const { notification, fields } of showing) {
    const warning = emptyFieldWarning(fields, known, `the notification ${notification.id}`);
    if (warning !== undefined) return warning;
  }
  return undefined;
}

/** Warns of the notifications of a user with these ids. */
export async function findEmptyFieldAmong(
  pool: Pool,
  ownerId: number,
  id: readonly number[],
  of: ConnectedSensors,
): Promise<string | undefined> {
  if (id.length === 0) return undefined;
  return findEmptyField(pool, await Notification.findAll({ where: { id: [...id], ownerId }, order: ['id'] }), of);
}

/** The warning for a text of `subject` that shows these fields; see `findEmptyField`. */
export function emptyFieldWarning(
  fields: readonly Word[],
  known: readonly KnownValue[],
  subject: string,
): string | undefined {
  if (known.length === 0 || known.some((one) => fieldsOf(one) === null)) return undefined;
  for (const { name, path } of fields) {
    const [why, ...others] = known.map((one) => whyMissing(one, path));
    if (why === undefined || others.includes(undefined)) continue;
    const field = `${name}${path.map(shownPart).join('')}`;
    return `${subject} shows nothing for ${field}: in the latest values of the connected sensors ${name}${why}`;
  }
  return undefined;
}

function whyMissing({ dataStructure, value }: KnownValue, path: Word['path']): string | undefined {
  const isDescribed = whyNoField(dataStructure, path.slice(0, 1)) === undefined;
  return isDescribed ? undefined : whyNoField(value ?? '', path);
}

/** The fields of values that the text and the templates of a notification show. */
function fieldsShownBy(notification: Notification): Word[] {
  const { text, contentType, type } = notification;
  const inText = fieldWordsIn(text);
  if (type !== 'url') return inText;
  const { destination, destinationResolved, destinationAcknowledged } = notification;
  const { body, bodyResolved, bodyAcknowledged } = notification;
  const inUrls = [destination, destinationResolved, destinationAcknowledged].flatMap((url) => {
    const compiled = compileUrl(url ?? '');
    return 'url' in compiled ? compiled.url.fields() : [];
  });
  const inBodies = [body, bodyResolved, bodyAcknowledged].flatMap((stored) => {
    if (stored === null) return [];
    const compiled = compileBody(contentType ?? JSON_TYPE, bodyOf(contentType, stored));
    return 'body' in compiled ? compiled.body.fields() : [];
  });
  return [...inText, ...inUrls, ...inBodies];
}
