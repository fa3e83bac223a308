import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'service_examples', timestamps: false })
export class ServiceExample extends Model<InferAttributes<ServiceExample>, InferCreationAttributes<ServiceExample>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'service_id', allowNull: false })
  declare serviceId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare label: string;

  @Column({ type: DataType.BIGINT, field: 'start_ms', allowNull: false })
  declare startMs: number;

  @Column({ type: DataType.BIGINT, field: 'end_ms', allowNull: false })
  declare endMs: number;

  /** JSON object of numbers by feature name. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare features: string;
}
