import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import { type Metatags, type MetatagValue, mergeMetatags, valueKey, withValues } from '../../access/metatags';
import { editRules } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { markSensorChange } from '../../access/sensor-changes';
import type { EventLog } from '../../events/event-log';
import { InvalidInput } from '../../platform/errors';
import type { Database } from '../../storage';
import { Metatag } from '../../storage/models/metatag.model';
import type { Reader } from '../../storage/read-pool';

/** Who sees the sensor reads them; its owner writes them. */
export class MetatagsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
  ) {}

  /** The metatags of a sensor in a namespace. */
  async find(userId: number, sensorId: number, namespace: string): Promise<Metatags> {
    await this.access.find(userId, sensorId);
    return (await findMetatags(this.database.pool, [sensorId], namespace)).get(sensorId) ?? new Map();
  }

  /** All metatags of the namespace. */
  replace(userId: number, sensorId: number, namespace: string, metatags: Metatags): Promise<Metatags> {
    return this.change(userId, sensorId, namespace, () => withValues(metatags));
  }

  /** Other names do not change. Throws InvalidInput if there would be too many. */
  merge(userId: number, sensorId: number, namespace: string, given: Metatags): Promise<Metatags> {
    return this.change(userId, sensorId, namespace, (before) => {
      const merged = mergeMetatags(before, given);
      if ('problem' in merged) throw InvalidInput.field(merged.problem.path, merged.problem.why);
      return merged.metatags;
    });
  }

  /** Locks the sensor, so that concurrent changes wait for each other. Rules that read labels see the change. */
  private async change(
    userId: number,
    sensorId: number,
    namespace: string,
    decide: (before: Metatags) => Metatags,
  ): Promise<Metatags> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      await edit.affects({ sensorIds: [sensorId] });
      const metatags = decide(await readLocked(sensorId, namespace, transaction));
      await Metatag.destroy({ where: { sensorId, namespace }, transaction });
      await Metatag.bulkCreate(toRows(metatags, { sensorId, namespace, ownerId: sensor.ownerId }), { transaction });
      await this.events.raise(transaction, { name: 'update_sensor', subjectId: sensorId, userId });
      await markSensorChange(userId, transaction);
      return metatags;
    });
  }
}

export async function findMetatags(
  pool: Reader,
  sensorIds: readonly number[],
  namespace: string,
): Promise<Map<number, Metatags>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT sensor_id AS sensorId, name, value FROM metatags
     WHERE sensor_id IN (?) AND namespace = ? ORDER BY sensor_id, name, position`,
    [sensorIds, namespace],
  );
  const found = new Map<number, Map<string, MetatagValue[]>>();
  for (const { sensorId, name, value } of rows) {
    const metatags = found.get(Number(sensorId)) ?? new Map<string, MetatagValue[]>();
    addValue(metatags, String(name), JSON.parse(String(value)));
    found.set(Number(sensorId), metatags);
  }
  return found;
}

export type MetatagsByNamespace = ReadonlyMap<string, Metatags>;

/** Names and values in order. */
export async function findMetatagsOfAll(
  pool: Reader,
  sensorIds: readonly number[],
): Promise<Map<number, MetatagsByNamespace>> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT sensor_id AS sensorId, namespace, name, value FROM metatags
     WHERE sensor_id IN (?) ORDER BY sensor_id, namespace, name, position`,
    [sensorIds],
  );
  const found = new Map<number, Map<string, Map<string, MetatagValue[]>>>();
  for (const { sensorId, namespace, name, value } of rows) {
    const namespaces = found.get(Number(sensorId)) ?? new Map<string, Map<string, MetatagValue[]>>();
    const metatags = namespaces.get(String(namespace)) ?? new Map<string, MetatagValue[]>();
    addValue(metatags, String(name), JSON.parse(String(value)));
    found.set(Number(sensorId), namespaces.set(String(namespace), metatags));
  }
  return found;
}

async function readLocked(sensorId: number, namespace: string, transaction: Transaction): Promise<Metatags> {
  const order: [string, string][] = [
    ['name', 'ASC'],
    ['position', 'ASC'],
  ];
  const rows = await Metatag.findAll({ where: { sensorId, namespace }, order, transaction, raw: true });
  const metatags = new Map<string, MetatagValue[]>();
  for (const row of rows) {
    addValue(metatags, String(row.name), JSON.parse(String(row.value))); // both come as bytes
  }
  return metatags;
}

function addValue(metatags: Map<string, MetatagValue[]>, name: string, value: MetatagValue): void {
  const values = metatags.get(name);
  if (values) values.push(value);
  else metatags.set(name, [value]);
}

function toRows(metatags: Metatags, place: { sensorId: number; namespace: string; ownerId: number }) {
  return [...metatags].flatMap(([name, values]) =>
    values.map((value, position) => ({
      ...place,
      name,
      position,
      value: JSON.stringify(value),
      valueKey: valueKey(value),
    })),
  );
}
