import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A third-party program that may ask users for access. */
@Table({ tableName: 'applications', timestamps: false })
export class Application extends Model<InferAttributes<Application>, InferCreationAttributes<Application>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare description: string;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare type: 'web' | 'browser' | 'native' | 'service';

  /** A JSON list. */
  @Column({ type: DataType.TEXT('medium'), field: 'callback_urls', allowNull: false })
  declare callbackUrls: string;

  /** The `consumerKey` is public: `oauth_consumer_key` of OAuth 1.0a and `client_id` of OAuth 2. */
  @Column({ type: DataType.STRING(64), field: 'consumer_key', allowNull: false })
  declare consumerKey: string;

  @Column({ type: DataType.STRING(255), field: 'encrypted_secret', allowNull: false })
  declare encryptedSecret: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** Set on deletion, while authorizations may still have to be removed. */
  @Column({ type: DataType.BIGINT, field: 'closed_ms', allowNull: true })
  declare closedMs: CreationOptional<number | null>;
}
