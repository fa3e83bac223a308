import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A notification connected to a trigger on all sensors that the trigger is connected to, now and later. */
@Table({ tableName: 'trigger_notifications', timestamps: false })
export class TriggerNotification extends Model<
  InferAttributes<TriggerNotification>,
  InferCreationAttributes<TriggerNotification>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'trigger_id', primaryKey: true, allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'notification_id', primaryKey: true, allowNull: false })
  declare notificationId: number;

  /** How long an episode must last before it gets the firing, in seconds. */
  @Column({ type: DataType.INTEGER, field: 'after_s', allowNull: false, defaultValue: 0 })
  declare afterS: CreationOptional<number>;
}
