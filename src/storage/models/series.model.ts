import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Deleted with the sensor. */
@Table({ tableName: 'series', timestamps: false })
export class SeriesName extends Model<InferAttributes<SeriesName>, InferCreationAttributes<SeriesName>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  /** `seriesHash` of namespace and name. */
  @Column({ type: DataType.CHAR(64), allowNull: false })
  declare hash: string;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare namespace: string;

  @Column({ type: DataType.STRING(2000), allowNull: false })
  declare name: string;

  /** The protocol that named it first. */
  @Column({ type: DataType.STRING(32), allowNull: false })
  declare source: string;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', allowNull: false })
  declare sensorId: number;

  /** Whose limit it counts on: `key:3`, `application:5`, `user`, `mqtt:7`. */
  @Column({ type: DataType.STRING(40), field: 'made_by', allowNull: false })
  declare madeBy: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
