import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'paused_receivers', timestamps: false })
export class PausedReceiver extends Model<InferAttributes<PausedReceiver>, InferCreationAttributes<PausedReceiver>> {
  @Column({ type: DataType.STRING(255), primaryKey: true })
  declare receiver: string;

  @Column({ type: DataType.BIGINT, field: 'since_ms', allowNull: false })
  declare sinceMs: number;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare reason: CreationOptional<string>;
}
