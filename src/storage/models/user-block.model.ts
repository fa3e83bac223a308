import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'user_blocks', timestamps: false })
export class UserBlock extends Model<InferAttributes<UserBlock>, InferCreationAttributes<UserBlock>> {
  /** The blocking user. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true, allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'blocked_id', primaryKey: true, allowNull: false })
  declare blockedId: number;

  /** The blocking user has named or seen the other one. */
  @Column({ type: DataType.BOOLEAN, field: 'knows_name', allowNull: false, defaultValue: true })
  declare knowsName: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
