import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One time that a trigger fired, with the variables at that moment (JSON). */
@Table({ tableName: 'firings', timestamps: false })
export class Firing extends Model<InferAttributes<Firing>, InferCreationAttributes<Firing>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT, field: 'sensor_id', allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT, field: 'trigger_id', allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BIGINT, field: 'sensor_trigger_id', allowNull: false })
  declare sensorTriggerId: number;

  @Column({ type: DataType.STRING(32), allowNull: false })
  declare reason: string;

  @Column({ type: DataType.BIGINT, field: 'fired_ms', allowNull: false })
  declare firedMs: number;

  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare variables: string;
}
