import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'authorizations', timestamps: false })
export class Authorization extends Model<InferAttributes<Authorization>, InferCreationAttributes<Authorization>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'application_id', allowNull: false })
  declare applicationId: number;

  /** Separated by spaces. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare scopes: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** Null if it does not expire. */
  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: true })
  declare expiresMs: number | null;

  /** Accurate to a minute; null before the first use. */
  @Column({ type: DataType.BIGINT, field: 'last_used_ms', allowNull: true })
  declare lastUsedMs: CreationOptional<number | null>;
}
