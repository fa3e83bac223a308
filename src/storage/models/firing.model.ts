import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'firings', timestamps: false })
export class Firing extends Model<InferAttributes<Firing>, InferCreationAttributes<Firing>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT, field: 'sensor_id', allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT, field: 'trigger_id', allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BIGINT, field: 'sensor_trigger_id', allowNull: false })
  declare sensorTriggerId: number;

  /** Version of the trigger that fired; null for a firing from before triggers had versions. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'trigger_version', allowNull: true })
  declare triggerVersion: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(32), allowNull: false })
  declare reason: string;

  @Column({ type: DataType.BIGINT, field: 'fired_ms', allowNull: false })
  declare firedMs: number;

  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare variables: string;

  /** Seconds that the expression had to be true; 0 without a hold, and for an inactivity. */
  @Column({ type: DataType.BIGINT, field: 'hold_s', allowNull: false, defaultValue: 0 })
  declare holdS: CreationOptional<number>;

  /** Recorded, and not delivered. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare muted: CreationOptional<boolean>;

  /** First firing of the episode; null if this is it. Only the first firing uses the columns below. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'episode_id', allowNull: true })
  declare episodeId: CreationOptional<number | null>;

  @Column({ type: DataType.BOOLEAN, field: 'is_lasting', allowNull: false, defaultValue: false })
  declare isLasting: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'ended_ms', allowNull: true })
  declare endedMs: CreationOptional<number | null>;

  /** `data`, `user` or `edit`. */
  @Column({ type: DataType.STRING(8), field: 'resolved_by', allowNull: true })
  declare resolvedBy: CreationOptional<string | null>;

  /** The value of the point that ended the episode, if one did. */
  @Column({ type: DataType.TEXT, field: 'end_value', allowNull: true })
  declare endValue: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'end_date_ms', allowNull: true })
  declare endDateMs: CreationOptional<number | null>;

  /** When the firing was found among late points; otherwise null. */
  @Column({ type: DataType.BIGINT, field: 'reported_ms', allowNull: true })
  declare reportedMs: CreationOptional<number | null>;

  /** Deliveries of the episode wait, or waited, in case that another trigger fires. */
  @Column({ type: DataType.BOOLEAN, field: 'is_dependent', allowNull: false, defaultValue: false })
  declare isDependent: CreationOptional<boolean>;

  /** The first firing of another episode, which holds deliveries of this episode, or held them last. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'held_by', allowNull: true })
  declare heldBy: CreationOptional<number | null>;

  /** The episode holds deliveries of others, or held some. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare holds: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'acknowledged_ms', allowNull: true })
  declare acknowledgedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'acknowledged_by', allowNull: true })
  declare acknowledgedBy: CreationOptional<number | null>;

  /** Whom the link belongs to that acknowledged, or an empty text; null if a user did. */
  @Column({ type: DataType.STRING(100), field: 'acknowledged_person', allowNull: true })
  declare acknowledgedPerson: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'assigned_to', allowNull: true })
  declare assignedTo: CreationOptional<number | null>;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare note: CreationOptional<string | null>;
}
