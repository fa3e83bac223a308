import type { Mute } from '../../edge/mute';
import { unitOf } from '../../language/measured-value';
import { readerZone } from '../../language/reader-time';
import { findNotifications, isDigested, readConnectedNotifications } from '../../notifications';
import { NotFound } from '../../platform/errors';
import { readLabelsOfTexts } from '../../storage/labels';
import type { Notification } from '../../storage/models/notification.model';
import type { Sensor } from '../../storage/models/sensor.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { Trigger } from '../../storage/models/trigger.model';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';
import { User } from '../../storage/models/user.model';
import { readMutes } from '../../storage/mutes';
import type { Reader } from '../../storage/read-pool';
import { type RunSql, runOn } from '../../storage/transaction';
import type { Recipient } from '../rules/episode-plan';
import type { Acknowledging, AudienceSetting, BacktestRecipient, RecordedAcknowledgement } from './backtest-audience';

/** Who takes part in a backtest. Without a trigger, its sensors have no notifications of their own. */
export interface AudienceInput {
  trigger?: Trigger;
  content: Pick<Trigger, 'name' | 'notifyResolved' | 'resolvedText' | 'timezone'>;
  withMutes: boolean;
  /** Instead of those of the trigger. */
  notifications?: readonly Recipient[];
  acknowledge: 'never' | 'as_recorded' | number;
  planned?: PlannedAudience;
}

/** As it will be after an edit. Things that do not exist yet have negative ids. */
export interface PlannedAudience {
  triggerId: number;
  mutes: readonly Mute[];
  notifications: ReadonlyMap<number, Notification>;
}

interface Range {
  sensorIds: readonly number[];
  sensors: readonly Sensor[];
  startMs: number;
  endMs: number;
}

const MOST_LISTED = 1_000;
const MOST_ACKNOWLEDGEMENTS = 10_000;

/** Throws NotFound for a notification that the user does not have. */
export async function readAudience(
  reads: Reader & Parameters<typeof runOn>[0],
  userId: number,
  { trigger, content, withMutes, notifications, acknowledge, planned }: AudienceInput,
  range: Range,
  digestAfter: number,
): Promise<AudienceSetting> {
  const run = runOn(reads);
  const connected = notifications
    ? new Map<number, readonly Recipient[]>()
    : await readConnected(run, trigger, range.sensorIds);
  const whole = notifications ?? (await readWhole(trigger));
  const recipientsNamed = [...whole, ...[...connected.values()].flat()];
  const known = await readOwn(userId, recipientsNamed, notifications !== undefined, planned?.notifications);
  const recipients = (of: readonly Recipient[]) =>
    of.flatMap(({ id, afterS }): BacktestRecipient[] => {
      const notification = known.get(id);
      return notification ? [{ id, afterS, text: notification.text }] : [];
    });
  const everywhere = recipients(whole);
  const ofSensors = new Map([...connected].map(([sensorId, of]) => [sensorId, recipients(of)]));
  const digested = [...known].filter(([, one]) => isDigested(one)).map(([id]) => id);
  const user = await User.findByPk(userId, { attributes: ['timezone'] });
  const timezone = readerZone(user?.timezone ?? null, content.timezone);
  return {
    trigger: { triggerId: planned?.triggerId ?? trigger?.id ?? 0, triggerName: content.name },
    notifyResolved: content.notifyResolved,
    resolvedText: content.resolvedText,
    mutes: withMutes ? (planned?.mutes ?? (await readMutes(run, [userId])).get(userId) ?? []) : [],
    recipientsOf: (sensorId) => ofSensors.get(sensorId) ?? everywhere,
    sensors: namedOf(range.sensors),
    labelsOf: await readLabelsOfTexts(run, range.sensorIds, [content.resolvedText, ...textsOf(known)]),
    acknowledge: acknowledge === 'as_recorded' ? await readAcknowledged(run, trigger, range) : acknowledge,
    limits: { digestAfter, digested: new Set(digested), timezone, listed: MOST_LISTED },
  };
}

/** By sensor, for those that are connected. */
async function readConnected(
  run: RunSql,
  trigger: Trigger | undefined,
  sensorIds: readonly number[],
): Promise<Map<number, Recipient[]>> {
  if (!trigger) return new Map();
  const pairs = await SensorTrigger.findAll({
    attributes: ['id', 'sensorId'],
    where: { triggerId: trigger.id, sensorId: [...sensorIds] },
  });
  if (pairs.length === 0) return new Map();
  const sensorOf = new Map(pairs.map(({ id, sensorId }) => [id, sensorId]));
  const bySensor = new Map<number, Recipient[]>(pairs.map(({ sensorId }) => [sensorId, []]));
  for (const { sensorTriggerId, id, afterS } of await readConnectedNotifications(run, [...sensorOf.keys()])) {
    bySensor.get(sensorOf.get(sensorTriggerId) ?? 0)?.push({ id, afterS });
  }
  return bySensor;
}

async function readWhole(trigger: Trigger | undefined): Promise<Recipient[]> {
  if (!trigger) return [];
  const rows = await TriggerNotification.findAll({ where: { triggerId: trigger.id }, order: ['notificationId'] });
  return rows.map(({ notificationId, afterS }) => ({ id: notificationId, afterS }));
}

async function readOwn(
  userId: number,
  recipients: readonly Recipient[],
  areGiven: boolean,
  planned: ReadonlyMap<number, Notification> = new Map(),
) {
  const ids = [...new Set(recipients.map(({ id }) => id))];
  const own = (await findNotifications(ids)).filter(({ ownerId }) => ownerId === userId);
  const known = new Map([...own.map((one) => [one.id, one] as const), ...planned]);
  const missing = ids.find((id) => !known.has(id));
  if (areGiven && missing !== undefined) throw new NotFound(`the notification ${missing}`);
  return known;
}

function textsOf(notifications: ReadonlyMap<number, Notification>): string[] {
  return [...notifications.values()].map(({ text }) => text);
}

function namedOf(sensors: readonly Sensor[]) {
  return new Map(
    sensors.map((sensor) => [sensor.id, { id: sensor.id, name: sensor.name, unit: unitOf(sensor) ?? '' }]),
  );
}

async function readAcknowledged(
  run: RunSql,
  trigger: Trigger | undefined,
  { sensorIds, startMs, endMs }: Range,
): Promise<Acknowledging> {
  if (!trigger || sensorIds.length === 0) return 'never';
  const rows = await run(
    `SELECT sensor_id AS sensorId, reason, acknowledged_ms AS atMs FROM firings
     WHERE trigger_id = ? AND sensor_id IN (?) AND acknowledged_ms BETWEEN ? AND ? ORDER BY acknowledged_ms LIMIT ?`,
    [trigger.id, sensorIds, startMs, endMs, MOST_ACKNOWLEDGEMENTS],
  );
  return rows.map(
    ({ sensorId, reason, atMs }): RecordedAcknowledgement => ({
      sensorId: Number(sensorId),
      cause: reason === 'inactivity' ? 'inactivity' : 'expression',
      atMs: Number(atMs),
    }),
  );
}
