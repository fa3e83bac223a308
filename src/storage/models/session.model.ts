import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'sessions', timestamps: false })
export class Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(64), field: 'token_hash', allowNull: false })
  declare tokenHash: string;

  @Column({ type: DataType.BIGINT, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare address: string;

  /** The header of the login, cut; empty if it had none. */
  @Column({ type: DataType.STRING(255), field: 'user_agent', allowNull: false, defaultValue: '' })
  declare userAgent: CreationOptional<string>;

  /** The identity that opened it; null after a login with a password. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'identity_id', allowNull: true })
  declare identityId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** Accurate to an hour. */
  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: false, defaultValue: 0 })
  declare usedMs: CreationOptional<number>;
}
