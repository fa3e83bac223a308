import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'device_sensors', timestamps: false })
export class DeviceSensor extends Model<InferAttributes<DeviceSensor>, InferCreationAttributes<DeviceSensor>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'device_id', allowNull: false })
  declare deviceId: number;
}
