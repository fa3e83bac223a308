import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A trigger on a sensor, with the state of its evaluation. */
@Table({ tableName: 'sensor_triggers', timestamps: false })
export class SensorTrigger extends Model<InferAttributes<SensorTrigger>, InferCreationAttributes<SensorTrigger>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'sensor_id', allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT, field: 'trigger_id', allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: true })
  declare active: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'last_triggered_ms', allowNull: false, defaultValue: 0 })
  declare lastTriggeredMs: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'times_triggered', allowNull: false, defaultValue: 0 })
  declare timesTriggered: CreationOptional<number>;

  @Column({ type: DataType.TEXT, field: 'last_data_value', allowNull: true })
  declare lastValue: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'last_date_ms', allowNull: true })
  declare lastDateMs: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(1000), field: 'last_error', allowNull: true })
  declare lastError: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'inactive_since_ms', allowNull: true })
  declare inactiveSinceMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'due_at_ms', allowNull: true })
  declare dueAtMs: CreationOptional<number | null>;

  @Column({ type: DataType.TINYINT.UNSIGNED, field: 'due_bucket', allowNull: false })
  declare dueBucket: number;

  /** Firings before this time are not delivered. */
  @Column({ type: DataType.BIGINT, field: 'muted_until_ms', allowNull: true })
  declare mutedUntilMs: CreationOptional<number | null>;

  /** Start of being ok, pending or firing; null since its connection. */
  @Column({ type: DataType.BIGINT, field: 'state_since_ms', allowNull: true })
  declare stateSinceMs: CreationOptional<number | null>;

  /** Date of the point since which the expression has been true without firing. */
  @Column({ type: DataType.BIGINT, field: 'pending_since_ms', allowNull: true })
  declare pendingSinceMs: CreationOptional<number | null>;

  /** Date of the point since which the condition of the open episode is over. */
  @Column({ type: DataType.BIGINT, field: 'clear_since_ms', allowNull: true })
  declare clearSinceMs: CreationOptional<number | null>;

  /** When the clock fires it, or ends its episode, unless a point comes first. */
  @Column({ type: DataType.BIGINT, field: 'condition_due_ms', allowNull: true })
  declare conditionDueMs: CreationOptional<number | null>;

  /** The expression's episode: first and last firing; acknowledged; any firing not muted. */
  @Column({ type: DataType.BIGINT, field: 'episode_ms', allowNull: true })
  declare episodeMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'episode_fired_ms', allowNull: true })
  declare episodeFiredMs: CreationOptional<number | null>;

  @Column({ type: DataType.BOOLEAN, field: 'episode_acknowledged', allowNull: false, defaultValue: false })
  declare episodeAcknowledged: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'episode_announced', allowNull: false, defaultValue: false })
  declare episodeAnnounced: CreationOptional<boolean>;

  /** The episode of the inactivity. */
  @Column({ type: DataType.BIGINT, field: 'inactivity_episode_ms', allowNull: true })
  declare inactivityEpisodeMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'inactivity_episode_fired_ms', allowNull: true })
  declare inactivityEpisodeFiredMs: CreationOptional<number | null>;

  @Column({ type: DataType.BOOLEAN, field: 'inactivity_episode_acknowledged', allowNull: false, defaultValue: false })
  declare inactivityEpisodeAcknowledged: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'inactivity_episode_announced', allowNull: false, defaultValue: false })
  declare inactivityEpisodeAnnounced: CreationOptional<boolean>;

  /** Connected by the trigger's selector, not by hand. */
  @Column({ type: DataType.BOOLEAN, field: 'by_selector', allowNull: false, defaultValue: false })
  declare bySelector: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
