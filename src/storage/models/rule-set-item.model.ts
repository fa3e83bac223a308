import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A notification, trigger or mute that a rule set manages under a name of its own. */
@Table({ tableName: 'rule_set_items', timestamps: false })
export class RuleSetItem extends Model<InferAttributes<RuleSetItem>, InferCreationAttributes<RuleSetItem>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', primaryKey: true })
  declare ownerId: number;

  @Column({ type: DataType.STRING(100), field: 'set_name', primaryKey: true })
  declare setName: string;

  @Column({ type: DataType.STRING(16), primaryKey: true })
  declare kind: 'notification' | 'trigger' | 'mute';

  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare name: string;

  /** No longer exists if it was deleted elsewhere. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'thing_id', allowNull: false })
  declare thingId: number;

  /** JSON of its fields as the set last applied them. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare applied: string;

  @Column({ type: DataType.BIGINT, field: 'applied_ms', allowNull: false })
  declare appliedMs: number;
}
