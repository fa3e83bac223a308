import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import { Forbidden, NotFound, type PlatformError } from '../platform/errors';
import type { Database } from '../storage';
import { Sensor } from '../storage/models/sensor.model';
import { sharedSensorsSql } from '../storage/sensor-visibility';
import { mayEdit, mayRead, type SensorRelation } from './sensor.policy';
import { lockSensors } from './sensor-lock';

export interface AccessedSensor {
  sensor: Sensor;
  isOwner: boolean;
}

export class SensorAccess {
  constructor(private readonly database: Database) {}

  /** Throws NotFound. */
  async find(userId: number, sensorId: number, transaction?: Transaction): Promise<AccessedSensor> {
    const sensor = await Sensor.findByPk(sensorId, { transaction });
    if (!sensor) throw new NotFound('the sensor');
    const isOwner = sensor.ownerId === userId;
    if (!isOwner && !mayRead((await this.accessOf(userId, [sensorId])).get(sensorId))) throw new NotFound('the sensor');
    return { sensor, isOwner };
  }

  /** Throws Forbidden if the user may only see it, otherwise NotFound. */
  async findOwn(userId: number, sensorId: number, transaction?: Transaction): Promise<Sensor> {
    const { sensor, isOwner } = await this.find(userId, sensorId, transaction);
    const refusal = refusalToEdit({ isOwner, isShared: !isOwner });
    if (refusal) throw refusal;
    return sensor;
  }

  /** As `findOwn`. Its connections do not change until the end of the transaction. */
  async lockOwn(userId: number, sensorId: number, transaction: Transaction): Promise<Sensor> {
    await this.findOwn(userId, sensorId, transaction);
    const [sensor] = await lockSensors([sensorId], transaction);
    if (!sensor) throw new NotFound('the sensor');
    return sensor;
  }

  /** Throws NotFound. */
  async requireReadable(userId: number, sensorIds: readonly number[]): Promise<void> {
    const relations = await this.accessOf(userId, sensorIds);
    for (const id of sensorIds) if (!mayRead(relations.get(id))) throw new NotFound(`the sensor ${id}`);
  }

  async accessOf(userId: number, sensorIds: readonly number[]): Promise<Map<number, SensorRelation>> {
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
}

export function refusalToEdit(relation: SensorRelation | undefined): PlatformError | undefined {
  if (mayEdit(relation)) return undefined;
  return mayRead(relation) ? new Forbidden('only the owner of the sensor may do this') : new NotFound('the sensor');
}
