import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'password_resets', timestamps: false })
export class PasswordReset extends Model<InferAttributes<PasswordReset>, InferCreationAttributes<PasswordReset>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(64), field: 'token_hash', allowNull: false })
  declare tokenHash: string;

  @Column({ type: DataType.BIGINT, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: false })
  declare expiresMs: number;
}
