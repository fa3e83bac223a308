import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'dashboards', timestamps: false })
export class Dashboard extends Model<InferAttributes<Dashboard>, InferCreationAttributes<Dashboard>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  /** JSON list of `Tile`. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare tiles: string;

  /** Counts changes of name and tiles. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false })
  declare version: number;

  @Column({ type: DataType.CHAR(64), field: 'public_hash', allowNull: true, unique: true })
  declare publicHash: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(255), field: 'public_token', allowNull: true })
  declare publicToken: CreationOptional<string | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
