import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A request token, or an access token. */
@Table({ tableName: 'oauth1_tokens', timestamps: false })
export class OAuth1Token extends Model<InferAttributes<OAuth1Token>, InferCreationAttributes<OAuth1Token>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(64), field: 'token_hash', allowNull: false })
  declare tokenHash: string;

  @Column({ type: DataType.STRING(8), allowNull: false })
  declare kind: 'request' | 'access';

  @Column({ type: DataType.STRING(255), field: 'encrypted_secret', allowNull: false })
  declare encryptedSecret: string;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'application_id', allowNull: false })
  declare applicationId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'authorization_id', allowNull: true })
  declare authorizationId: CreationOptional<number | null>;

  /** A request token has a URL or `oob`. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare callback: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(64), field: 'verifier_hash', allowNull: true })
  declare verifierHash: CreationOptional<string | null>;

  /** When the access token of an allowed request token will expire; null for never. */
  @Column({ type: DataType.BIGINT, field: 'allowed_until_ms', allowNull: true })
  declare allowedUntilMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: true })
  declare expiresMs: number | null;
}
