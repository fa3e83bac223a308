import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'api_keys', timestamps: false })
export class ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.CHAR(64), field: 'secret_hash', allowNull: false })
  declare secretHash: string;

  /** The end of the secret. */
  @Column({ type: DataType.CHAR(4), allowNull: false })
  declare hint: string;

  /** Separated by spaces. */
  @Column({ type: DataType.STRING(64), allowNull: false })
  declare scopes: string;

  /** JSON list of the only sensors; null for all. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare sensors: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: true })
  declare expiresMs: CreationOptional<number | null>;

  /** Maximum number of sensors made for series; null without the scope. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'create_limit', allowNull: true })
  declare createLimit: CreationOptional<number | null>;

  /** Accurate to a minute. */
  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: true })
  declare usedMs: CreationOptional<number | null>;
}
