import type { Pool, RowDataPacket } from 'mysql2/promise';
import { passesBy } from '../../language/passing-condition';
import { ownNotificationsSql } from '../../notifications';
import type { Trigger } from '../../storage/models/trigger.model';
import type { Reader } from '../../storage/read-pool';
import { findConnectionWarning } from './field-warnings';

/** What a trigger is shown with. */
export interface AboutTrigger {
  notificationCount: number;
  /** Also one that has ended. */
  hasShadow: boolean;
  warning?: string | undefined;
}

/** Counts the notifications of a trigger, and warns if it cannot work on its sensors, or if its ends come too early. */
export async function describeTrigger(pool: Pool, trigger: Trigger): Promise<AboutTrigger> {
  const [about = { notificationCount: 0, hasShadow: false }] = await readAbout(pool, trigger.ownerId, [trigger]);
  const warning = (await findConnectionWarning(pool, trigger)) ?? endWarning(trigger);
  return { ...about, warning };
}

/** For each of these triggers of a user. */
export async function readAbout(
  from: Reader,
  ownerId: number,
  triggers: readonly Trigger[],
): Promise<Omit<AboutTrigger, 'warning'>[]> {
  const counts = await countNotifications(from, ownerId, triggers);
  const shadowed = await findShadowed(from, triggers);
  return triggers.map(({ id }) => ({ notificationCount: counts.get(id) ?? 0, hasShadow: shadowed.has(id) }));
}

async function findShadowed(from: Reader, triggers: readonly Trigger[]): Promise<Set<number>> {
  if (triggers.length === 0) return new Set();
  const ids = triggers.map(({ id }) => id);
  const [rows] = await from.query<RowDataPacket[]>(
    'SELECT trigger_id AS id FROM trigger_shadows WHERE trigger_id IN (?)',
    [ids],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/** The notifications of triggers of a user, on all sensors and on single ones, by the ids of the triggers. */
async function countNotifications(
  from: Reader,
  ownerId: number,
  triggers: readonly Trigger[],
): Promise<Map<number, number>> {
  if (triggers.length === 0) return new Map();
  const ids = triggers.map(({ id }) => id);
  const [rows] = await from.query<RowDataPacket[]>(
    `SELECT id, COUNT(*) AS count FROM (
       SELECT trigger_id AS id, notification_id FROM trigger_notifications WHERE trigger_id IN (?) UNION
       SELECT st.trigger_id, stn.notification_id
       FROM sensor_trigger_notifications stn JOIN sensor_triggers st ON st.id = stn.sensor_trigger_id
       WHERE stn.notification_id IN (${ownNotificationsSql(ownerId)}) AND st.trigger_id IN (?)) connected GROUP BY id`,
    [ids, ids],
  );
  return new Map(rows.map(({ id, count }) => [Number(id), Number(count)]));
}

function endWarning({ expression, resolveExpression, notifyResolved }: Trigger): string | undefined {
  const endsByItself = notifyResolved && resolveExpression === null;
  const variable = endsByItself && expression !== null ? passesBy(expression) : undefined;
  if (variable === undefined) return undefined;
  return `the expression reads ${variable}, so it may become false and be reported as resolved while the state lasts; leave it out, and limit how often it fires by "repeat"`;
}
