import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** `ownerId` is the environment's owner, who can have a sensor in only one environment. */
@Table({ tableName: 'environment_sensors', timestamps: false })
export class EnvironmentSensor extends Model<
  InferAttributes<EnvironmentSensor>,
  InferCreationAttributes<EnvironmentSensor>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', primaryKey: true, allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'environment_id', allowNull: false })
  declare environmentId: number;

  /** `<latitude> <longitude> [<altitude>]`; `""` if not placed. */
  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare position: CreationOptional<string>;
}
