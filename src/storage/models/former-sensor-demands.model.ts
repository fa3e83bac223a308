import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Sensors that a group asked for before a change, as JSON, while join requests of that time wait. */
@Table({ tableName: 'former_sensor_demands', timestamps: false })
export class FormerSensorDemands extends Model<
  InferAttributes<FormerSensorDemands>,
  InferCreationAttributes<FormerSensorDemands>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', primaryKey: true, allowNull: false })
  declare groupId: number;

  @Column({ type: DataType.INTEGER.UNSIGNED, primaryKey: true, allowNull: false })
  declare version: number;

  @Column({ type: DataType.TEXT('medium'), field: 'required_sensors', allowNull: false })
  declare requiredSensors: string;

  @Column({ type: DataType.TEXT('medium'), field: 'optional_sensors', allowNull: false })
  declare optionalSensors: string;
}
