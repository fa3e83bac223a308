import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'connected_sensors', timestamps: false })
export class ConnectedSensor extends Model<InferAttributes<ConnectedSensor>, InferCreationAttributes<ConnectedSensor>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'used_sensor_id', primaryKey: true, allowNull: false })
  declare usedSensorId: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
