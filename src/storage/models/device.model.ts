import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'devices', timestamps: false })
export class Device extends Model<InferAttributes<Device>, InferCreationAttributes<Device>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare type: string;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare uuid: string;
}
