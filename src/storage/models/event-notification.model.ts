import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'event_notifications', timestamps: false })
export class EventNotification extends Model<
  InferAttributes<EventNotification>,
  InferCreationAttributes<EventNotification>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare name: CreationOptional<string>;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare event: string;

  @Column({ type: DataType.BIGINT, field: 'notification_id', allowNull: false })
  declare notificationId: number;

  @Column({ type: DataType.INTEGER, allowNull: false, defaultValue: 0 })
  declare priority: CreationOptional<number>;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare enabled: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'source_id', allowNull: true })
  declare sourceId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
