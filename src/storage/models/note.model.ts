import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'sensor_notes', timestamps: false })
export class Note extends Model<InferAttributes<Note>, InferCreationAttributes<Note>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT, field: 'date_ms', allowNull: false })
  declare dateMs: number;

  /** Null for a moment. */
  @Column({ type: DataType.BIGINT, field: 'end_ms', allowNull: true })
  declare endMs: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(500), allowNull: false })
  declare text: string;
}
