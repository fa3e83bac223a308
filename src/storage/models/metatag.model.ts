import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** One value of a metatag. */
@Table({ tableName: 'metatags', timestamps: false })
export class Metatag extends Model<InferAttributes<Metatag>, InferCreationAttributes<Metatag>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.STRING(255), primaryKey: true, allowNull: false })
  declare namespace: string;

  @Column({ type: DataType.STRING(32, true), primaryKey: true, allowNull: false })
  declare name: string;

  @Column({ type: DataType.INTEGER.UNSIGNED, primaryKey: true, allowNull: false })
  declare position: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  /** 100 characters of JSON take at most 602 bytes, if all are escaped. */
  @Column({ type: DataType.STRING(700, true), allowNull: false })
  declare value: string;

  /** Compares values. */
  @Column({ type: DataType.STRING(800, true), field: 'value_key', allowNull: false })
  declare valueKey: string;
}
