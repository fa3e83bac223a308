import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'selector_owners', timestamps: false })
export class SelectorOwner extends Model<InferAttributes<SelectorOwner>, InferCreationAttributes<SelectorOwner>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', primaryKey: true, allowNull: false })
  declare ownerId: number;

  /** Random, new with each change of sensors or selectors; null once the selectors have followed. */
  @Column({ type: DataType.CHAR(36), allowNull: true })
  declare version: CreationOptional<string | null>;

  /** Like `version`, and never cleared: fleets compare it with the one that they have followed. */
  @Column({ type: DataType.CHAR(36), field: 'latest_version', allowNull: true })
  declare latestVersion: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare watched: CreationOptional<boolean>;

  /** `version` at which the current comparison began; null between two of them. */
  @Column({ type: DataType.CHAR(36), field: 'round_version', allowNull: true })
  declare roundVersion: CreationOptional<string | null>;

  /** Last compared trigger, by id. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'followed_id', allowNull: false, defaultValue: 0 })
  declare followedId: CreationOptional<number>;
}
