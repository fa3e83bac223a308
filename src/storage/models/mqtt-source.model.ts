import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The worker with the lease changes state and session: `src/gateways/mqtt/source-leases.ts`. */
@Table({ tableName: 'mqtt_sources', timestamps: false })
export class MqttSource extends Model<InferAttributes<MqttSource>, InferCreationAttributes<MqttSource>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.STRING(2000), allowNull: false })
  declare url: string;

  /** `""` for a broker without users. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare username: string;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare password: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare topics: string;

  /** A `DecoderName`. */
  @Column({ type: DataType.STRING(16), allowNull: false })
  declare decoder: string;

  @Column({ type: DataType.STRING(255), field: 'client_id', allowNull: false })
  declare clientId: string;

  /** 4 is MQTT 3.1.1. */
  @Column({ type: DataType.TINYINT.UNSIGNED, field: 'protocol_version', allowNull: false })
  declare protocolVersion: number;

  @Column({ type: DataType.TEXT, field: 'ca_certificate', allowNull: true })
  declare caCertificate: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare enabled: boolean;

  /** Maximum number of sensors that are made for its messages. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'create_limit', allowNull: false })
  declare createLimit: number;

  /** A `RetainedChoice`. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'changes' })
  declare retained: CreationOptional<string>;

  /** Counts changes by the owner: a worker connects again for each. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare revision: CreationOptional<number>;

  /** `connecting`, `connected` or `failed`, for the worker with the lease. */
  @Column({ type: DataType.STRING(16), allowNull: false })
  declare state: string;

  @Column({ type: DataType.STRING(500), field: 'last_error', allowNull: false, defaultValue: '' })
  declare lastError: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, field: 'last_message_ms', allowNull: true })
  declare lastMessageMs: CreationOptional<number | null>;

  /** Number of unreadable messages. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare unreadable: CreationOptional<number>;

  /** Number of messages that a limit refused and the broker does not keep. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare refused: CreationOptional<number>;

  /** Number of retained messages left out by `retained`. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare unchanged: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare repeated: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare ignored: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare incomplete: CreationOptional<number>;

  /** Number of messages that the broker keeps because of a limit. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare kept: CreationOptional<number>;

  @Column({ type: DataType.STRING(100), field: 'leased_by', allowNull: true })
  declare leasedBy: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'leased_until_ms', allowNull: false, defaultValue: 0 })
  declare leasedUntilMs: CreationOptional<number>;

  /** JSON list of the session's filters at the broker; null without a session. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare subscribed: CreationOptional<string | null>;

  /** Stored messages whose acknowledgements the broker may lack: `stored-packets.ts`. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare unconfirmed: CreationOptional<string | null>;

  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare failures: CreationOptional<number>;

  /** When a worker may connect. */
  @Column({ type: DataType.BIGINT, field: 'next_try_ms', allowNull: false, defaultValue: 0 })
  declare nextTryMs: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
