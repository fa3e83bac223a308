import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'environments', timestamps: false })
export class Environment extends Model<InferAttributes<Environment>, InferCreationAttributes<Environment>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'parent_id', allowNull: true })
  declare parentId: CreationOptional<number | null>;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: true })
  declare floors: CreationOptional<number | null>;

  @Column({ type: DataType.TEXT, field: 'gps_outline', allowNull: false })
  declare gpsOutline: string;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare position: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
