import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A message to a destination. Its type is a channel, see `delivery/channels/index.ts`. */
@Table({ tableName: 'notifications', timestamps: false })
export class Notification extends Model<InferAttributes<Notification>, InferCreationAttributes<Notification>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare type: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare text: string;

  @Column({ type: DataType.STRING(2000), allowNull: false })
  declare destination: string;

  /**
   * True if the recipient of its mails has confirmed the address, copied from there for lists; true for other channels.
   */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare confirmed: CreationOptional<boolean>;

  @Column({ type: DataType.STRING(100), field: 'signing_secret', allowNull: false })
  declare signingSecret: string;

  /** JSON, see `rules/signing-secrets.ts`. */
  @Column({ type: DataType.TEXT, field: 'replaced_secrets', allowNull: true })
  declare replacedSecrets: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** Format of the bodies that a URL gets: a `WebhookFormat`. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'form' })
  declare format: CreationOptional<string>;

  /** True if many deliveries of a minute go out as one; null for the default of its channel. */
  @Column({ type: DataType.BOOLEAN, allowNull: true })
  declare digest: CreationOptional<boolean | null>;

  /** A disabled notification sends only test deliveries. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare enabled: CreationOptional<boolean>;

  /** See `rules/notification-health.ts`. */
  @Column({ type: DataType.STRING(16), field: 'disabled_reason', allowNull: true })
  declare disabledReason: CreationOptional<string | null>;

  /** When the first attempt failed after the last successful one; null while attempts succeed. */
  @Column({ type: DataType.BIGINT, field: 'failing_since_ms', allowNull: true })
  declare failingSinceMs: CreationOptional<number | null>;
}
