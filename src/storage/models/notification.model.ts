import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

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

  /** The mail recipient's confirmation, copied for lists; true for other channels. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare confirmed: CreationOptional<boolean>;

  @Column({ type: DataType.STRING(100), field: 'signing_secret', allowNull: false })
  declare signingSecret: string;

  /** JSON, see `signing-secrets.ts`. */
  @Column({ type: DataType.TEXT, field: 'replaced_secrets', allowNull: true })
  declare replacedSecrets: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** A `WebhookFormat`. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'form' })
  declare format: CreationOptional<string>;

  /** Many deliveries of a minute go out as one; null for the channel's default. */
  @Column({ type: DataType.BOOLEAN, allowNull: true })
  declare digest: CreationOptional<boolean | null>;

  /** Encrypted keys of a push subscription: `push-subscription.ts`. Null for other channels. */
  @Column({ type: DataType.STRING(255), field: 'push_keys', allowNull: true })
  declare pushKeys: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(100), allowNull: true })
  declare name: CreationOptional<string | null>;

  /** Who acknowledges by its links; null if it does not say so. */
  @Column({ type: DataType.STRING(100), allowNull: true })
  declare person: CreationOptional<string | null>;

  /** A disabled notification sends only tests. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare enabled: CreationOptional<boolean>;

  /** See `notification-health.ts`. */
  @Column({ type: DataType.STRING(16), field: 'disabled_reason', allowNull: true })
  declare disabledReason: CreationOptional<string | null>;

  /** First failed attempt after the last success; null while attempts succeed. */
  @Column({ type: DataType.BIGINT, field: 'failing_since_ms', allowNull: true })
  declare failingSinceMs: CreationOptional<number | null>;

  /** A name in `src/notifications/presets`, if made by one. */
  @Column({ type: DataType.STRING(40), field: 'preset', allowNull: true })
  declare preset: CreationOptional<string | null>;

  /** A `WebhookMethod`, POST by default. */
  @Column({ type: DataType.STRING(8), field: 'method', allowNull: true })
  declare method: CreationOptional<string | null>;

  /** JSON: encrypted values of headers by name. */
  @Column({ type: DataType.TEXT, field: 'headers', allowNull: true })
  declare headers: CreationOptional<string | null>;

  /** JSON: encrypted values of `secrets.name` in templates. */
  @Column({ type: DataType.TEXT('medium'), field: 'secrets', allowNull: true })
  declare secrets: CreationOptional<string | null>;

  /** Null for JSON. */
  @Column({ type: DataType.STRING(100), field: 'content_type', allowNull: true })
  declare contentType: CreationOptional<string | null>;

  /** Template, see `webhook-request.ts`; null for the body of `format`. */
  @Column({ type: DataType.TEXT('medium'), field: 'body', allowNull: true })
  declare body: CreationOptional<string | null>;

  /** Template for ends of episodes; null for `body`. */
  @Column({ type: DataType.TEXT('medium'), field: 'body_resolved', allowNull: true })
  declare bodyResolved: CreationOptional<string | null>;

  /** Template for acknowledgements; null if none is sent. */
  @Column({ type: DataType.TEXT('medium'), field: 'body_acknowledged', allowNull: true })
  declare bodyAcknowledged: CreationOptional<string | null>;

  /** Null for `destination`, like `destinationResolved`. */
  @Column({ type: DataType.STRING(2000), field: 'destination_acknowledged', allowNull: true })
  declare destinationAcknowledged: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(2000), field: 'destination_resolved', allowNull: true })
  declare destinationResolved: CreationOptional<string | null>;

  /** Expression over the answer; null for any 2xx. */
  @Column({ type: DataType.TEXT, field: 'success', allowNull: true })
  declare success: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, field: 'ca_certificate', allowNull: true })
  declare caCertificate: CreationOptional<string | null>;

  /** When the owner was notified of failures that began before. */
  @Column({ type: DataType.BIGINT, field: 'warned_ms', allowNull: true })
  declare warnedMs: CreationOptional<number | null>;

  /** Set by a 429; null if there was none. */
  @Column({ type: DataType.BIGINT, field: 'limited_until_ms', allowNull: true })
  declare limitedUntilMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'late_reported_ms', allowNull: true })
  declare lateReportedMs: CreationOptional<number | null>;

  /** Latest success at the present destination, to the minute. */
  @Column({ type: DataType.BIGINT, field: 'proven_ms', allowNull: true })
  declare provenMs: CreationOptional<number | null>;

  /** Period of probes in seconds; null for none. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'probe_s', allowNull: true })
  declare probeS: CreationOptional<number | null>;

  /** Null without probes. */
  @Column({ type: DataType.BIGINT, field: 'probe_due_ms', allowNull: true })
  declare probeDueMs: CreationOptional<number | null>;

  /** When the owner was mailed about a failed probe; like `warnedMs`. */
  @Column({ type: DataType.BIGINT, field: 'probe_warned_ms', allowNull: true })
  declare probeWarnedMs: CreationOptional<number | null>;
}
