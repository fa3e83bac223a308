import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Access from one consent of a user or one request of a service. Its tokens end with it. */
@Table({ tableName: 'oauth2_grants', timestamps: false })
export class OAuth2Grant extends Model<InferAttributes<OAuth2Grant>, InferCreationAttributes<OAuth2Grant>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'application_id', allowNull: false })
  declare applicationId: number;

  /** The owner of the account. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  /** Null for a service, which needs no permission from its owner. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'authorization_id', allowNull: true })
  declare authorizationId: CreationOptional<number | null>;

  /** Separated by spaces. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare scopes: string;

  @Column({ type: DataType.STRING(64), field: 'code_hash', allowNull: true })
  declare codeHash: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'code_expires_ms', allowNull: true })
  declare codeExpiresMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'code_used_ms', allowNull: true })
  declare codeUsedMs: CreationOptional<number | null>;

  /** PKCE, always S256. */
  @Column({ type: DataType.STRING(64), field: 'code_challenge', allowNull: true })
  declare codeChallenge: CreationOptional<string | null>;

  /** The exchange must repeat the URI of the request for the code. */
  @Column({ type: DataType.TEXT, field: 'redirect_uri', allowNull: true })
  declare redirectUri: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: false })
  declare expiresMs: number;
}
