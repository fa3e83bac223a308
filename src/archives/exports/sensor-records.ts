import type { RowDataPacket } from 'mysql2/promise';
import { Op } from 'sequelize';
import { toUnixSeconds } from '../../edge/dates';
import { newestDateSql } from '../../points';
import { findMetatagsOfAll, type MetatagsByNamespace, toSensorView } from '../../sensors';
import type { Database } from '../../storage';
import { ConnectedSensor } from '../../storage/models/connected-sensor.model';
import { Device } from '../../storage/models/device.model';
import { DeviceSensor } from '../../storage/models/device-sensor.model';
import { Sensor } from '../../storage/models/sensor.model';
import { lineSection } from './section';

const AT_ONCE = 200;
const KINDS: Readonly<Record<string, string>> = { '0': 'plain', '1': 'physical', '2': 'virtual' };

/** The sensors of an account, with the date of their latest point: later ones are left out. */
export function sensorSection({ pool, reads }: Database) {
  return lineSection('sensors.ndjson', async ({ ownerId }, cursor) => {
    const where = { ownerId, id: { [Op.gt]: cursor?.[0] ?? 0 } };
    const sensors = await Sensor.findAll({ where, order: ['id'], limit: AT_ONCE });
    const ids = sensors.map(({ id }) => id);
    if (ids.length === 0) return { records: [], next: undefined };
    const [metatags, devices, used, dates] = await Promise.all([
      findMetatagsOfAll(reads, ids),
      devicesOf(ids),
      usedBy(ids),
      newestDates({ pool }, ids),
    ]);
    const records = sensors.map((sensor) => {
      const { id, type, ...fields } = toSensorView(sensor);
      const lastMs = dates.get(sensor.id);
      return {
        ...{ id, kind: KINDS[type], sensor: fields, metatags: toObject(metatags.get(sensor.id)) },
        ...{ retention_days: sensor.retentionDays ?? null, device: devices.get(sensor.id) ?? null },
        ...{ uses: used.get(sensor.id) ?? [], last_date: lastMs === undefined ? null : toUnixSeconds(lastMs) },
      };
    });
    return { records, next: ids.length < AT_ONCE ? undefined : [ids.at(-1) ?? 0] };
  });
}

async function devicesOf(sensorId: number[]): Promise<Map<number, { type: string; uuid: string }>> {
  const places = await DeviceSensor.findAll({ where: { sensorId } });
  const devices = await Device.findAll({ where: { id: places.map(({ deviceId }) => deviceId) } });
  const byId = new Map(devices.map(({ id, type, uuid }) => [id, { type, uuid }]));
  return new Map(
    places.flatMap((place) => {
      const device = byId.get(place.deviceId);
      return device ? [[place.sensorId, device] as const] : [];
    }),
  );
}

async function usedBy(sensorId: number[]): Promise<Map<number, string[]>> {
  const used = new Map<number, string[]>();
  for (const row of await ConnectedSensor.findAll({ where: { sensorId }, order: ['sensorId', 'usedSensorId'] }))
    used.set(row.sensorId, [...(used.get(row.sensorId) ?? []), String(row.usedSensorId)]);
  return used;
}

async function newestDates({ pool }: Pick<Database, 'pool'>, ids: number[]): Promise<Map<number, number>> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT s.id, ${newestDateSql('s.id')} AS newestMs FROM sensors s WHERE s.id IN (?)`,
    [ids],
  );
  return new Map(rows.flatMap(({ id, newestMs }) => (newestMs === null ? [] : [[Number(id), Number(newestMs)]])));
}

function toObject(namespaces: MetatagsByNamespace = new Map()): object {
  return Object.fromEntries([...namespaces].map(([namespace, metatags]) => [namespace, Object.fromEntries(metatags)]));
}
