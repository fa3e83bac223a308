import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'services', timestamps: false })
export class Service extends Model<InferAttributes<Service>, InferCreationAttributes<Service>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, allowNull: false })
  declare id: number;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare name: string;

  /** JSON, in the format of the kind of service, like `memory`. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare settings: string;

  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare memory: string;

  @Column({ type: DataType.TEXT('long'), allowNull: true })
  declare model: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(1000), field: 'last_error', allowNull: true })
  declare lastError: CreationOptional<string | null>;

  /** Bumped by each of its passes, and when its outputs get a subscriber. */
  @Column({ type: DataType.BIGINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare version: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
