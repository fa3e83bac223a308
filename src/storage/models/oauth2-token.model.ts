import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A used refresh token stays, so that a replay is detected. */
@Table({ tableName: 'oauth2_tokens', timestamps: false })
export class OAuth2Token extends Model<InferAttributes<OAuth2Token>, InferCreationAttributes<OAuth2Token>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(64), field: 'token_hash', allowNull: false })
  declare tokenHash: string;

  @Column({ type: DataType.STRING(8), allowNull: false })
  declare kind: 'access' | 'refresh';

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'grant_id', allowNull: false })
  declare grantId: number;

  /** Separated by spaces. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare scopes: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: false })
  declare expiresMs: number;

  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: true })
  declare usedMs: CreationOptional<number | null>;
}
