import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Why there is a delivery. */
export type DeliveryKind =
  | 'firing'
  | 'end'
  | 'acknowledgement'
  | 'event'
  | 'digest'
  | 'test'
  | 'probe'
  | 'notice'
  | 'report';

@Table({ tableName: 'deliveries', timestamps: false })
export class Delivery extends Model<InferAttributes<Delivery>, InferCreationAttributes<Delivery>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(36), field: 'webhook_id', allowNull: false })
  declare webhookId: string;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT, field: 'notification_id', allowNull: false })
  declare notificationId: number;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare kind: DeliveryKind;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare type: string;

  @Column({ type: DataType.STRING(2000), allowNull: false })
  declare destination: string;

  /** See `receiverOf` in `delivery/channels/index.ts`. */
  @Column({ type: DataType.STRING(255), allowNull: true })
  declare receiver: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare text: string;

  /** JSON, as the kind reads it: an `Alert` whose sensor or trigger may be deleted, the subject of a notice, or a report. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare details: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'digest_id', allowNull: true })
  declare digestId: CreationOptional<number | null>;

  /** Start of the minute whose deliveries a digest holds. */
  @Column({ type: DataType.BIGINT, field: 'digest_minute_ms', allowNull: true })
  declare digestMinuteMs: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(16), allowNull: false, defaultValue: 'pending' })
  declare status: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare priority: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'firing_id', allowNull: true })
  declare firingId: CreationOptional<number | null>;

  /** A digest is critical if one of its deliveries is. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare critical: CreationOptional<boolean>;

  /** See `delivery/escalations.ts`. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare escalation: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'after_mute', allowNull: false, defaultValue: false })
  declare afterMute: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'sensor_id', allowNull: true })
  declare sensorId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'trigger_id', allowNull: true })
  declare triggerId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'event_id', allowNull: true })
  declare eventId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'event_notification_id', allowNull: true })
  declare eventNotificationId: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(64), allowNull: true })
  declare event: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'subject_id', allowNull: true })
  declare subjectId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'source_id', allowNull: true })
  declare sourceId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare attempts: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'next_attempt_ms', allowNull: true })
  declare nextAttemptMs: CreationOptional<number | null>;

  /** The limit that postpones it, in words; null if none does. */
  @Column({ type: DataType.STRING(500), field: 'waits_for', allowNull: true })
  declare waitsFor: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'late_ms', allowNull: true })
  declare lateMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'lease_until_ms', allowNull: true })
  declare leaseUntilMs: CreationOptional<number | null>;

  @Column({ type: DataType.TINYINT, allowNull: false, defaultValue: 0 })
  declare begun: CreationOptional<number>;

  /** Identifies the lease. */
  @Column({ type: DataType.BIGINT, allowNull: true })
  declare lease: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, allowNull: true })
  declare permit: CreationOptional<number | null>;

  /** When it began to wait for a permit; `nextAttemptMs` is null meanwhile. */
  @Column({ type: DataType.BIGINT, field: 'throttled_ms', allowNull: true })
  declare throttledMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'received_ms', allowNull: true })
  declare receivedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'stored_ms', allowNull: true })
  declare storedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'evaluated_ms', allowNull: true })
  declare evaluatedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** When the last attempt was sent. */
  @Column({ type: DataType.BIGINT, field: 'sent_ms', allowNull: true })
  declare sentMs: CreationOptional<number | null>;

  /** When the last attempt was answered; null if it was not. */
  @Column({ type: DataType.BIGINT, field: 'answered_ms', allowNull: true })
  declare answeredMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'finished_ms', allowNull: true })
  declare finishedMs: CreationOptional<number | null>;
}
