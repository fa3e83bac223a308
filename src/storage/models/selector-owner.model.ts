import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A user whose sensors have changed. There is no row before the first change. */
@Table({ tableName: 'selector_owners', timestamps: false })
export class SelectorOwner extends Model<InferAttributes<SelectorOwner>, InferCreationAttributes<SelectorOwner>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', primaryKey: true, allowNull: false })
  declare ownerId: number;

  /** Random, new with each change of the user's sensors or selectors; null once the selectors have followed. */
  @Column({ type: DataType.CHAR(36), allowNull: true })
  declare version: CreationOptional<string | null>;

  /** True if triggers of the user have selectors. */
  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare watched: CreationOptional<boolean>;

  /** The version at which the current comparison of the user's selectors began; null between two of them. */
  @Column({ type: DataType.CHAR(36), field: 'round_version', allowNull: true })
  declare roundVersion: CreationOptional<string | null>;

  /** The last trigger that this comparison has reached; triggers are compared by id. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'followed_id', allowNull: false, defaultValue: 0 })
  declare followedId: CreationOptional<number>;
}
