import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'sensor_trigger_notifications', timestamps: false })
export class SensorTriggerNotification extends Model<
  InferAttributes<SensorTriggerNotification>,
  InferCreationAttributes<SensorTriggerNotification>
> {
  @Column({ type: DataType.BIGINT, field: 'sensor_trigger_id', primaryKey: true, allowNull: false })
  declare sensorTriggerId: number;

  @Column({ type: DataType.BIGINT, field: 'notification_id', primaryKey: true, allowNull: false })
  declare notificationId: number;

  /** Minimum duration of the episode, in seconds. */
  @Column({ type: DataType.BIGINT, field: 'after_s', allowNull: false, defaultValue: 0 })
  declare afterS: CreationOptional<number>;
}
