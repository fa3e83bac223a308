import type { Pool, RowDataPacket } from 'mysql2/promise';
import { fieldsOf, fieldsRead } from '../../language/expression-fields';
import { keyOfLabel } from '../../language/labels';
import { fieldWordsIn } from '../../language/notification-text';
import { readValue } from '../../language/sensor-value';
import { windowOfWholeNumbers } from '../../language/windows/whole-values';
import { zonesNamedIn } from '../../language/zones/zone-functions';
import {
  emptyFieldWarning,
  findEmptyFieldAmong,
  type KnownValue,
  MAX_CONNECTED_SENSORS,
  readKnownValues,
} from '../../notifications';
import { readLabels } from '../../storage/labels';
import type { Trigger } from '../../storage/models/trigger.model';
import { runOn } from '../../storage/transaction';
import { labelsOf } from '../rules/rule-labels';

const MAX_LABELLED_SENSORS = 1_000;

/**
 * Warns of a zone that does not exist, of a label that one of the sensors lacks, of a field that no sensor has, by
 * structures and latest values, in the expression or in the text of ends, and of a window over whole values that are no
 * numbers. Undefined if all is well, or nothing is known about a sensor.
 */
async function findFieldWarning(pool: Pool, trigger: Trigger): Promise<string | undefined> {
  const { id, ownerId, expression, notifyResolved, resolvedText } = trigger;
  const read = expression === null ? [] : [...fieldsRead(expression)];
  const shown = notifyResolved ? fieldWordsIn(resolvedText ?? '') : [];
  const window = expression === null ? undefined : windowOfWholeNumbers(expression);
  const lacking = (await missingZoneWarning(pool, trigger)) ?? (await missingLabelWarning(pool, trigger));
  if (lacking !== undefined) return lacking;
  if (read.length === 0 && shown.length === 0 && window === undefined) return undefined;
  const known = await readKnownValues(pool, ownerId, { triggerId: id });
  return (
    missingFieldWarning(read, known) ??
    (window && wholeValueWarning(window, known)) ??
    emptyFieldWarning(shown, known, 'the text of its ends')
  );
}

/**
 * The warning for a trigger, or for a trigger on one sensor: as above, or for a connected notification that shows a
 * field which these sensors lack.
 */
export async function findConnectionWarning(
  pool: Pool,
  trigger: Trigger,
  sensorId?: number,
): Promise<string | undefined> {
  const own = await findFieldWarning(pool, trigger);
  if (own !== undefined) return own;
  const ids = await readNotificationIds(pool, trigger.id, sensorId);
  return findEmptyFieldAmong(pool, trigger.ownerId, ids, { triggerId: trigger.id, sensorId });
}

/** The notifications of a trigger on all its sensors, and on the first of them. */
async function readNotificationIds(pool: Pool, triggerId: number, sensorId: number | undefined): Promise<number[]> {
  const onSensor = sensorId === undefined ? '' : ' AND sensor_id = ?';
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT notification_id AS id FROM trigger_notifications WHERE trigger_id = ? UNION
     SELECT n.notification_id FROM (SELECT id FROM sensor_triggers WHERE trigger_id = ?${onSensor} ORDER BY id LIMIT ?) st
     JOIN sensor_trigger_notifications n ON n.sensor_trigger_id = st.id`,
    [triggerId, triggerId, ...(sensorId === undefined ? [] : [sensorId]), MAX_CONNECTED_SENSORS],
  );
  return rows.map(({ id }) => Number(id));
}

async function missingZoneWarning(pool: Pool, trigger: Trigger): Promise<string | undefined> {
  const { ownerId, expression, resolveExpression } = trigger;
  const named = [...zonesNamedIn(expression), ...zonesNamedIn(resolveExpression)];
  if (named.length === 0) return undefined;
  const sql = 'SELECT name FROM environments WHERE owner_id = ? AND name IN (?)';
  const [rows] = await pool.query<RowDataPacket[]>(sql, [ownerId, named]);
  const known = new Set(rows.map(({ name }) => String(name)));
  const missing = named.find((name) => !known.has(name));
  if (missing === undefined) return undefined;
  return `you have no environment "${missing}", so in_zone("${missing}") is false until you give one this name`;
}

/** Looks at the first connected sensors. */
async function missingLabelWarning(pool: Pool, trigger: Trigger): Promise<string | undefined> {
  const needed = labelsOf(trigger).filter(({ fallback }) => fallback === undefined);
  if (needed.length === 0) return undefined;
  const [sensors] = await pool.query<RowDataPacket[]>(
    `SELECT s.id, s.name FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id
     WHERE st.trigger_id = ? ORDER BY st.id LIMIT ?`,
    [trigger.id, MAX_LABELLED_SENSORS],
  );
  const ids = sensors.map(({ id }) => Number(id));
  const labels = await readLabels(runOn(pool), ids, needed);
  for (const { id, name } of sensors) {
    const missing = needed.find(({ label }) => !labels.get(Number(id))?.has(keyOfLabel(label)));
    if (missing)
      return `the sensor "${name}" has no label "${missing.label}", so the trigger cannot be evaluated there: set the metatag, or give a value for sensors without it, as in label("${missing.label}", 8)`;
  }
  return undefined;
}

function missingFieldWarning(read: readonly string[], values: readonly KnownValue[]): string | undefined {
  const known = values.map(fieldsOf);
  if (known.length === 0 || known.includes(null)) return undefined;
  const missing = read.find((field) => !known.some((fields) => fields?.has(field)));
  if (missing === undefined) return undefined;
  return `no sensor that the trigger is connected to has the field "${missing}", so its expression cannot be evaluated there`;
}

function wholeValueWarning(window: string, known: readonly KnownValue[]): string | undefined {
  const isStructure = ({ value }: KnownValue) => value !== null && typeof readValue(value, 'json') === 'object';
  if (known.length === 0 || !known.every(isStructure)) return undefined;
  return `the latest values of the connected sensors are lists or objects, in which "${window}" finds no numbers: name a field, as in sensor_data_value.temperature`;
}
