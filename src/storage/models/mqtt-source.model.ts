import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/**
 * A broker of MQTT of a user, and the topics that a worker subscribes to there. The worker that holds the lease changes
 * its state and its session; `src/gateways/mqtt/source-leases.ts` has these statements.
 */
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

  /** Encrypted, see `rules/mqtt/broker-password.ts`; null without a password. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare password: CreationOptional<string | null>;

  /** The filters of topics, as a JSON list. */
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

  /** PEM certificates of the authority of the broker. */
  @Column({ type: DataType.TEXT, field: 'ca_certificate', allowNull: true })
  declare caCertificate: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare enabled: boolean;

  /** Maximum number of sensors that are made for its messages. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'create_limit', allowNull: false })
  declare createLimit: number;

  /** A `RetainedChoice`: what is done with retained messages. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'changes' })
  declare retained: CreationOptional<string>;

  /** Counts the changes by its owner: a worker connects again for each. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare revision: CreationOptional<number>;

  /** `connecting`, `connected` or `failed`, as of the worker that has the lease. */
  @Column({ type: DataType.STRING(16), allowNull: false })
  declare state: string;

  @Column({ type: DataType.STRING(500), field: 'last_error', allowNull: false, defaultValue: '' })
  declare lastError: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, field: 'last_message_ms', allowNull: true })
  declare lastMessageMs: CreationOptional<number | null>;

  /** Number of messages that could not be read. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare unreadable: CreationOptional<number>;

  /** Number of messages that were not stored because of a limit, and that the broker does not keep. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare refused: CreationOptional<number>;

  /** Number of retained messages that were left out, as `retained` demands. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare unchanged: CreationOptional<number>;

  /** Number of messages that the broker delivered again, and that were stored already. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare repeated: CreationOptional<number>;

  /** Number of messages that bring no values. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare ignored: CreationOptional<number>;

  /** Number of messages of which a part was left out. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare incomplete: CreationOptional<number>;

  /** Number of messages that the broker keeps now because of a limit. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare kept: CreationOptional<number>;

  @Column({ type: DataType.STRING(100), field: 'leased_by', allowNull: true })
  declare leasedBy: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'leased_until_ms', allowNull: false, defaultValue: 0 })
  declare leasedUntilMs: CreationOptional<number>;

  /** The filters that its session at the broker has, as a JSON list; null without a session. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare subscribed: CreationOptional<string | null>;

  /** Messages that are stored, and whose acknowledgements the broker may not have: see `rules/mqtt/stored-packets.ts`. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare unconfirmed: CreationOptional<string | null>;

  /** How many connections have failed since the last stable one. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare failures: CreationOptional<number>;

  /** From when on a worker may connect. */
  @Column({ type: DataType.BIGINT, field: 'next_try_ms', allowNull: false, defaultValue: 0 })
  declare nextTryMs: CreationOptional<number>;

  /** For workers of the former release only, which the next release need not work with: `mqtt_descriptions` has the rows. */
  @Column({ type: DataType.TEXT('medium'), allowNull: true })
  declare described: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
