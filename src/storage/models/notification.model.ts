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

  /** The keys of a push subscription, encrypted: see `rules/push-subscription.ts`. Null for other channels. */
  @Column({ type: DataType.STRING(255), field: 'push_keys', allowNull: true })
  declare pushKeys: CreationOptional<string | null>;

  /** The name that its owner gave it, of a browser its own; null if there is none. */
  @Column({ type: DataType.STRING(100), allowNull: true })
  declare name: CreationOptional<string | null>;

  /** A disabled notification sends only test deliveries. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare enabled: CreationOptional<boolean>;

  /** See `rules/notification-health.ts`. */
  @Column({ type: DataType.STRING(16), field: 'disabled_reason', allowNull: true })
  declare disabledReason: CreationOptional<string | null>;

  /** When the first attempt failed after the last successful one; null while attempts succeed. */
  @Column({ type: DataType.BIGINT, field: 'failing_since_ms', allowNull: true })
  declare failingSinceMs: CreationOptional<number | null>;

  /** The preset that it was made by: a name of `rules/presets`. */
  @Column({ type: DataType.STRING(40), field: 'preset', allowNull: true })
  declare preset: CreationOptional<string | null>;

  /** The method of requests to a URL: a `WebhookMethod`, POST by default. */
  @Column({ type: DataType.STRING(8), field: 'method', allowNull: true })
  declare method: CreationOptional<string | null>;

  /** JSON: the values of further headers by their names, each encrypted. */
  @Column({ type: DataType.TEXT, field: 'headers', allowNull: true })
  declare headers: CreationOptional<string | null>;

  /** JSON: the values that templates read as `secrets.name`, each encrypted. */
  @Column({ type: DataType.TEXT('medium'), field: 'secrets', allowNull: true })
  declare secrets: CreationOptional<string | null>;

  /** The content type of `body`; null for JSON. */
  @Column({ type: DataType.STRING(100), field: 'content_type', allowNull: true })
  declare contentType: CreationOptional<string | null>;

  /** The template of bodies, see `rules/webhook-request.ts`; null for the body of `format`. */
  @Column({ type: DataType.TEXT('medium'), field: 'body', allowNull: true })
  declare body: CreationOptional<string | null>;

  /** The template for ends of episodes; null for that of `body`. */
  @Column({ type: DataType.TEXT('medium'), field: 'body_resolved', allowNull: true })
  declare bodyResolved: CreationOptional<string | null>;

  /** The template for acknowledgements of episodes; null if none is sent. */
  @Column({ type: DataType.TEXT('medium'), field: 'body_acknowledged', allowNull: true })
  declare bodyAcknowledged: CreationOptional<string | null>;

  /** Where acknowledgements go; null for `destination`. */
  @Column({ type: DataType.STRING(2000), field: 'destination_acknowledged', allowNull: true })
  declare destinationAcknowledged: CreationOptional<string | null>;

  /** Where ends of episodes go; null for `destination`. */
  @Column({ type: DataType.STRING(2000), field: 'destination_resolved', allowNull: true })
  declare destinationResolved: CreationOptional<string | null>;

  /** An expression over the answer that says what a success is; null for any 2xx. */
  @Column({ type: DataType.TEXT, field: 'success', allowNull: true })
  declare success: CreationOptional<string | null>;

  /** PEM certificates of the authority of its receiver. */
  @Column({ type: DataType.TEXT, field: 'ca_certificate', allowNull: true })
  declare caCertificate: CreationOptional<string | null>;

  /** When its owner was notified that the destination fails. It counts for the failures since before that time. */
  @Column({ type: DataType.BIGINT, field: 'warned_ms', allowNull: true })
  declare warnedMs: CreationOptional<number | null>;

  /** Until when its receiver asks for no requests (429); null if it never did. */
  @Column({ type: DataType.BIGINT, field: 'limited_until_ms', allowNull: true })
  declare limitedUntilMs: CreationOptional<number | null>;

  /** When critical alerts that wait were last reported. */
  @Column({ type: DataType.BIGINT, field: 'late_reported_ms', allowNull: true })
  declare lateReportedMs: CreationOptional<number | null>;

  /** When a delivery last arrived at its present destination, to the minute; null if none did. */
  @Column({ type: DataType.BIGINT, field: 'proven_ms', allowNull: true })
  declare provenMs: CreationOptional<number | null>;

  /** The period of its probes in seconds; null for none. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'probe_s', allowNull: true })
  declare probeS: CreationOptional<number | null>;

  /** When its next probe is due; null without probes. */
  @Column({ type: DataType.BIGINT, field: 'probe_due_ms', allowNull: true })
  declare probeDueMs: CreationOptional<number | null>;

  /** When its owner was mailed about a failed probe; like `warnedMs`. */
  @Column({ type: DataType.BIGINT, field: 'probe_warned_ms', allowNull: true })
  declare probeWarnedMs: CreationOptional<number | null>;
}
