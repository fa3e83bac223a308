import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'group_sensors', timestamps: false })
export class GroupSensor extends Model<InferAttributes<GroupSensor>, InferCreationAttributes<GroupSensor>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', primaryKey: true, allowNull: false })
  declare groupId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
