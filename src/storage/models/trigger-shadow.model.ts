import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A changed rule that is tried on the live points of a trigger, and delivers nothing. */
@Table({ tableName: 'trigger_shadows', timestamps: false })
export class TriggerShadow extends Model<InferAttributes<TriggerShadow>, InferCreationAttributes<TriggerShadow>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'trigger_id', allowNull: false })
  declare triggerId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare expression: string | null;

  @Column({ type: DataType.INTEGER, allowNull: true })
  declare inactivity: number | null;

  @Column({ type: DataType.INTEGER, allowNull: false })
  declare hold: number;

  @Column({ type: DataType.INTEGER, field: 'repeat_after', allowNull: true })
  declare repeat: number | null;

  @Column({ type: DataType.TEXT, field: 'resolve_expression', allowNull: true })
  declare resolveExpression: string | null;

  @Column({ type: DataType.INTEGER, field: 'keep_firing_for', allowNull: false })
  declare keepFiringFor: number;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare timezone: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'until_ms', allowNull: false })
  declare untilMs: number;

  /** Null while it runs. */
  @Column({ type: DataType.BIGINT, field: 'ended_ms', allowNull: true })
  declare endedMs: CreationOptional<number | null>;

  /** Points that it had left out at its end. */
  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare untried: CreationOptional<number>;
}
