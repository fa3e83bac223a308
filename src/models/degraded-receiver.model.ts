import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A receiver whose last attempt, or more of them in a row, was slow or failed. */
@Table({ tableName: 'degraded_receivers', timestamps: false })
export class DegradedReceiver extends Model<
  InferAttributes<DegradedReceiver>,
  InferCreationAttributes<DegradedReceiver>
> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare receiver: string;

  @Column({ type: DataType.BIGINT, field: 'since_ms', allowNull: false })
  declare sinceMs: number;

  /** In a row. */
  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 1 })
  declare failures: CreationOptional<number>;
}
