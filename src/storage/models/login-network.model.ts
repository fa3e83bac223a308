import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Where a user has logged in from, so that a new place is noticed. */
@Table({ tableName: 'login_networks', timestamps: false })
export class LoginNetwork extends Model<InferAttributes<LoginNetwork>, InferCreationAttributes<LoginNetwork>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true })
  declare userId: number;

  @Column({ type: DataType.STRING(64), primaryKey: true })
  declare network: string;

  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: false })
  declare usedMs: number;
}
