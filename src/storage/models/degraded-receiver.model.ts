import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A receiver with slow or failed last attempts; degraded from `DEGRADED_AFTER` in `delivery/leases.ts` on. */
@Table({ tableName: 'degraded_receivers', timestamps: false })
export class DegradedReceiver extends Model<
  InferAttributes<DegradedReceiver>,
  InferCreationAttributes<DegradedReceiver>
> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare receiver: string;

  @Column({ type: DataType.BIGINT, field: 'since_ms', allowNull: false })
  declare sinceMs: number;

  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 1 })
  declare failures: CreationOptional<number>;
}
