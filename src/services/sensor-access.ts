import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Database } from '../database';
import { Forbidden, NotFound } from '../errors';
import { Sensor } from '../models/sensor.model';
import { mayEdit, mayRead, type SensorTies } from '../policies/sensor.policy';

/** A sensor as one user meets it. */
export interface AccessedSensor {
  sensor: Sensor;
  isOwner: boolean;
}

/** The ways in which a sensor can be shared with a user: each selects `sensor_id`. */
const WAYS_OF_SHARING: readonly ((userId: number) => string)[] = [
  (userId) => `SELECT sensor_id FROM sensor_users WHERE user_id = ${userId}`,
  (userId) =>
    `SELECT gs.sensor_id FROM group_users m JOIN group_sensors gs ON gs.group_id = m.group_id
     WHERE m.user_id = ${userId} AND m.accepted = TRUE AND m.list_sensors = TRUE`,
];

/** Selects `sensor_id` of every sensor that is shared with the user. */
export function sharedSensorsSql(userId: number): string {
  const id = safe(userId);
  return WAYS_OF_SHARING.map((way) => way(id)).join(' UNION ');
}

/** Selects `sensor_id` of every sensor that the user may see; made for `id IN (...)` and for joins. */
export function visibleSensorsSql(userId: number): string {
  return `SELECT id AS sensor_id FROM sensors WHERE owner_id = ${safe(userId)} UNION ${sharedSensorsSql(userId)}`;
}

/** Answers who may do what with which sensor; nobody else asks the tables about it. */
export class SensorAccess {
  constructor(private readonly database: Database) {}

  /** The sensor, when the user may see it; else NotFound. */
  async load(userId: number, sensorId: number, transaction?: Transaction): Promise<AccessedSensor> {
    const sensor = await Sensor.findByPk(sensorId, { transaction });
    if (!sensor) throw new NotFound('the sensor');
    const isOwner = sensor.ownerId === userId;
    if (!isOwner) this.requireReadable((await this.ties(userId, [sensorId])).get(sensorId));
    return { sensor, isOwner };
  }

  /** The sensor, when it is the user's own; Forbidden when he only sees it, else NotFound. */
  async own(userId: number, sensorId: number, transaction?: Transaction): Promise<Sensor> {
    const { sensor, isOwner } = await this.load(userId, sensorId, transaction);
    if (!mayEdit({ isOwner, isShared: true })) throw new Forbidden('only the owner of the sensor may do this');
    return sensor;
  }

  /** What ties the user to each of the sensors that exist: one query for all of them. */
  async ties(userId: number, sensorIds: readonly number[]): Promise<Map<number, SensorTies>> {
    if (sensorIds.length === 0) return new Map();
    const [rows] = await this.database.pool.query<RowDataPacket[]>(
      `SELECT s.id, s.owner_id AS ownerId, s.owner_id <> ? AND s.id IN (${sharedSensorsSql(userId)}) AS isShared
       FROM sensors s WHERE s.id IN (?)`,
      [userId, sensorIds],
    );
    return new Map(
      rows.map((row) => [
        Number(row.id),
        { isOwner: Number(row.ownerId) === userId, isShared: Number(row.isShared) === 1 },
      ]),
    );
  }

  private requireReadable(ties: SensorTies | undefined): void {
    if (!ties || !mayRead(ties)) throw new NotFound('the sensor');
  }
}

/** Ids go into the text of statements here: never anything but a whole number. */
function safe(id: number): number {
  if (!Number.isSafeInteger(id)) throw new TypeError('an id is a whole number');
  return id;
}
