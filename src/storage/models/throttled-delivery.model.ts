import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'throttled_deliveries', timestamps: false })
export class ThrottledDelivery extends Model<
  InferAttributes<ThrottledDelivery>,
  InferCreationAttributes<ThrottledDelivery>
> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare receiver: string;

  /** Smaller ranks are delivered first. */
  @Column({ type: DataType.BIGINT, field: 'priority_rank', primaryKey: true })
  declare priorityRank: number;

  @Column({ type: DataType.BIGINT, field: 'delivery_id', primaryKey: true })
  declare deliveryId: number;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false, defaultValue: 0 })
  declare ownerId: CreationOptional<number>;
}
