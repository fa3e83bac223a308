import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'sensor_users', timestamps: false })
export class SensorUser extends Model<InferAttributes<SensorUser>, InferCreationAttributes<SensorUser>> {
  @Column({ type: DataType.BIGINT, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT, field: 'user_id', primaryKey: true, allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** The reader was not asked, and has not dismissed the notice yet. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare unseen: CreationOptional<boolean>;
}
