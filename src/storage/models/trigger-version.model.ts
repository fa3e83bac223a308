import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A trigger as it was after a change of its rule. */
@Table({ tableName: 'trigger_versions', timestamps: false })
export class TriggerVersion extends Model<InferAttributes<TriggerVersion>, InferCreationAttributes<TriggerVersion>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'trigger_id', primaryKey: true })
  declare triggerId: number;

  /** From 1. */
  @Column({ type: DataType.INTEGER.UNSIGNED, primaryKey: true })
  declare version: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  /** `session`, or the name of the key or of the application; empty if unknown. */
  @Column({ type: DataType.STRING(255), field: 'changed_by', allowNull: false })
  declare changedBy: string;

  /** JSON list of columns; empty for the first version. */
  @Column({ type: DataType.TEXT, field: 'changed', allowNull: false })
  declare changedColumns: string;

  /** JSON of the columns that decide or deliver. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare content: string;
}
