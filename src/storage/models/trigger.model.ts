import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A boolean expression over data points, seconds of inactivity, or both. */
@Table({ tableName: 'triggers', timestamps: false })
export class Trigger extends Model<InferAttributes<Trigger>, InferCreationAttributes<Trigger>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare expression: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, allowNull: true })
  declare inactivity: CreationOptional<number | null>;

  /** Seconds that the expression must be true before the trigger fires. */
  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare hold: CreationOptional<number>;

  /** Seconds after which it fires again within an episode; 0 for never, null for the behaviour of the specification. */
  @Column({ type: DataType.BIGINT, field: 'repeat_after', allowNull: true })
  declare repeat: CreationOptional<number | null>;

  /** While it is given, an episode of the expression ends only when this is true. */
  @Column({ type: DataType.TEXT, field: 'resolve_expression', allowNull: true })
  declare resolveExpression: CreationOptional<string | null>;

  /** Seconds for which the condition must be over before an episode of the expression ends. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'keep_firing_for', allowNull: false, defaultValue: 0 })
  declare keepFiringFor: CreationOptional<number>;

  @Column({ type: DataType.BOOLEAN, field: 'notify_resolved', allowNull: false, defaultValue: false })
  declare notifyResolved: CreationOptional<boolean>;

  @Column({ type: DataType.TEXT, field: 'resolved_text', allowNull: true })
  declare resolvedText: CreationOptional<string | null>;

  /** IANA name: the clocks that time functions of the expression read. */
  @Column({ type: DataType.STRING(64), allowNull: false, defaultValue: 'UTC' })
  declare timezone: CreationOptional<string>;

  /** A `Severity`. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'warning' })
  declare severity: CreationOptional<string>;

  /** A `LateHandling`. */
  @Column({ type: DataType.STRING(8), allowNull: false, defaultValue: 'ignore' })
  declare late: CreationOptional<string>;

  /** JSON, see `rules/selector.ts`; null if only connected by hand. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare selector: CreationOptional<string | null>;

  /** Number of matching sensors; not null while the selector may have connected some. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'selected_sensors', allowNull: true })
  declare selectedSensors: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(255), field: 'selector_error', allowNull: true })
  declare selectorError: CreationOptional<string | null>;

  /** The trigger whose open episodes hold the deliveries of this one; null without a dependency. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'parent_id', allowNull: true })
  declare parentId: CreationOptional<number | null>;

  /** A metatag; null for the same sensor. */
  @Column({ type: DataType.STRING(32), field: 'parent_label', allowNull: true })
  declare parentLabel: CreationOptional<string | null>;

  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'parent_wait_s', allowNull: false, defaultValue: 0 })
  declare parentWaitS: CreationOptional<number>;

  /** Members of this group with the right see the alerts; null for none. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', allowNull: true })
  declare groupId: CreationOptional<number | null>;

  /** Number of the latest `TriggerVersion`. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 1 })
  declare version: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
