import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A notification connected on all sensors of the trigger, now and later. */
@Table({ tableName: 'trigger_notifications', timestamps: false })
export class TriggerNotification extends Model<
  InferAttributes<TriggerNotification>,
  InferCreationAttributes<TriggerNotification>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'trigger_id', primaryKey: true, allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'notification_id', primaryKey: true, allowNull: false })
  declare notificationId: number;

  @Column({ type: DataType.INTEGER, field: 'after_s', allowNull: false, defaultValue: 0 })
  declare afterS: CreationOptional<number>;
}
