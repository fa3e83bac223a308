import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'service_inputs', timestamps: false })
export class ServiceInputRow extends Model<InferAttributes<ServiceInputRow>, InferCreationAttributes<ServiceInputRow>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'service_id', primaryKey: true, allowNull: false })
  declare serviceId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  /** JSON list of the names in use. */
  @Column({ type: DataType.TEXT, field: 'data_fields', allowNull: false })
  declare dataFields: string;
}
