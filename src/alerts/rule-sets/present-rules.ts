import { Op } from 'sequelize';
import { findOwnNotifications } from '../../notifications';
import { Conflict } from '../../platform/errors';
import { Mute } from '../../storage/models/mute.model';
import type { Notification } from '../../storage/models/notification.model';
import { RuleSetItem } from '../../storage/models/rule-set-item.model';
import { Sensor } from '../../storage/models/sensor.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';
import { type Connection, type Fields, muteFields, notificationFields, triggerFields } from './entry-fields';
import { KINDS, type Kind } from './read-rule-set';

/** A notification, trigger or mute as it is stored. */
export type Thing =
  | { kind: 'notification'; row: Notification; fields: Fields }
  | { kind: 'trigger'; row: Trigger; fields: Fields }
  | { kind: 'mute'; row: Mute; fields: Fields };

export interface WantedRules {
  set: string;
  /** By kind: entries of the set, and what these name. */
  names: Readonly<Record<Kind, readonly string[]>>;
  ids: Readonly<Record<Kind, readonly number[]>>;
  sensorNames: readonly string[];
  sensorIds: readonly number[];
}

export interface Present {
  /** All sets of the user. */
  items: readonly RuleSetItem[];
  things: Readonly<Record<Kind, ReadonlyMap<number, Thing>>>;
  sensors: readonly { id: number; name: string }[];
}

/** As many as a document may have. */
const MOST = 1_000;

/** Reads what a set manages, and what else it names; or everything. In a shared transaction the rows can be locked. */
export async function readPresent(
  ownerId: number,
  wanted: WantedRules | 'all',
  lock = false,
  most = MOST,
): Promise<Present> {
  const items = await RuleSetItem.findAll({ where: { ownerId }, order: ['setName', 'kind', 'name'] });
  const of = (kind: Kind) => {
    if (wanted === 'all') return wanted;
    const managed = items.filter((item) => item.setName === wanted.set && item.kind === kind);
    return { ids: [...wanted.ids[kind], ...managed.map(({ thingId }) => thingId)], names: wanted.names[kind] };
  };
  const limit = most + 1;
  // The order of locks of a deletion.
  const notifications = await findOwnNotifications(ownerId, of('notification'), { lock, limit });
  const triggers = await Trigger.findAll({ where: whereOf(ownerId, of('trigger')), order: ['id'], lock, limit });
  const mutes = await Mute.findAll({ where: whereOf(ownerId, of('mute')), order: ['id'], lock, limit });
  for (const { length } of [notifications, triggers]) {
    if (length > most) throw new Conflict(`a rule set has at most ${most} triggers and ${most} notifications`);
  }
  const connected = await readConnected(triggers.map(({ id }) => id));
  const things = {
    notification: byId(notifications, (row) => ({ kind: 'notification', row, fields: notificationFields(row) })),
    trigger: byId(triggers, (row) => ({ kind: 'trigger', row, fields: triggerFields(row, connected(row.id)) })),
    mute: byId(mutes, (row) => ({ kind: 'mute', row, fields: muteFields(row) })),
  };
  return { items, things, sensors: await readSensors(ownerId, things, wanted) };
}

function whereOf(ownerId: number, wanted: 'all' | { ids: number[]; names: readonly string[] }) {
  const chosen = wanted === 'all' ? {} : { [Op.or]: [{ id: wanted.ids }, { name: [...wanted.names] }] };
  return { ownerId, ...chosen };
}

async function readConnected(triggerIds: number[]) {
  const order = ['triggerId'];
  const byHand = await SensorTrigger.findAll({
    attributes: ['triggerId', 'sensorId'],
    where: { triggerId: triggerIds, bySelector: false },
    order,
  });
  const whole = await TriggerNotification.findAll({ where: { triggerId: triggerIds }, order });
  const sensors = byTrigger(byHand);
  const notifications = byTrigger(whole);
  return (id: number) => ({
    sensors: (sensors.get(id) ?? []).map(({ sensorId }) => sensorId),
    notifications: (notifications.get(id) ?? []).map(
      ({ notificationId, afterS }): Connection => ({ notification: notificationId, after: afterS }),
    ),
  });
}

function byTrigger<Row extends { triggerId: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const same = found.get(row.triggerId);
    if (same) same.push(row);
    else found.set(row.triggerId, [row]);
  }
  return found;
}

/** Those that are named, and others with the same names. */
async function readSensors(ownerId: number, things: Present['things'], wanted: WantedRules | 'all') {
  const used = KINDS.flatMap((kind) => [...things[kind].values()]).flatMap(({ fields }) => fields.sensors ?? []);
  const { sensorNames, sensorIds } = wanted === 'all' ? { sensorNames: [], sensorIds: [] } : wanted;
  const ids = [...new Set([...(used as number[]), ...sensorIds])]; // only triggers and mutes have sensors
  const attributes = ['id', 'name'];
  const named = await Sensor.findAll({ where: { ownerId, id: ids }, attributes });
  const names = [...new Set([...named.map(({ name }) => name), ...sensorNames])];
  const all = await Sensor.findAll({ where: { ownerId, name: names }, attributes, order: ['id'] });
  const found = new Map([...named, ...all].map(({ id, name }) => [id, name]));
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id);
}

function byId<Row extends { id: number }>(rows: readonly Row[], toThing: (row: Row) => Thing): Map<number, Thing> {
  return new Map(rows.map((row) => [row.id, toThing(row)]));
}
