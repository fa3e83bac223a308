import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Database } from '../../database';
import { sharedSensorsSql } from '../../database/sensor-visibility';
import { Forbidden, NotFound } from '../../errors';
import { Sensor } from '../../models/sensor.model';
import { mayEdit, mayRead, type SensorRelation } from '../../policies/sensor.policy';

/** A sensor as one user meets it. */
export interface AccessedSensor {
  sensor: Sensor;
  isOwner: boolean;
}

/** Answers who may do what with which sensor. */
export class SensorAccess {
  constructor(private readonly database: Database) {}

  /** The sensor, when the user may see it; else NotFound. */
  async load(userId: number, sensorId: number, transaction?: Transaction): Promise<AccessedSensor> {
    const sensor = await Sensor.findByPk(sensorId, { transaction });
    if (!sensor) throw new NotFound('the sensor');
    const isOwner = sensor.ownerId === userId;
    if (!isOwner && !mayRead((await this.accessOf(userId, [sensorId])).get(sensorId))) throw new NotFound('the sensor');
    return { sensor, isOwner };
  }

  /** The sensor, when it is the user's own; Forbidden when he only sees it, else NotFound. */
  async own(userId: number, sensorId: number, transaction?: Transaction): Promise<Sensor> {
    const { sensor, isOwner } = await this.load(userId, sensorId, transaction);
    if (!mayEdit({ isOwner, isShared: true })) throw new Forbidden('only the owner of the sensor may do this');
    return sensor;
  }

  /** NotFound, with the first of them that the user may not see. */
  async requireReadable(userId: number, sensorIds: readonly number[]): Promise<void> {
    const relations = await this.accessOf(userId, sensorIds);
    for (const id of sensorIds) if (!mayRead(relations.get(id))) throw new NotFound(`the sensor ${id}`);
  }

  /** What relates the user to each of the sensors that exist: one query for all of them. */
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
