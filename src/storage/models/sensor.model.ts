import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Physical: on a device. Virtual: uses other sensors. */
export const SENSOR_TYPE = { plain: 0, physical: 1, virtual: 2 } as const;

@Table({ tableName: 'sensors', timestamps: false })
export class Sensor extends Model<InferAttributes<Sensor>, InferCreationAttributes<Sensor>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.STRING(255), field: 'display_name', allowNull: false, defaultValue: '' })
  declare displayName: CreationOptional<string>;

  @Column({ type: DataType.TINYINT.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare type: CreationOptional<number>;

  @Column({ type: DataType.STRING(255), field: 'device_type', allowNull: false, defaultValue: '' })
  declare deviceType: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), field: 'data_type_id', allowNull: false, defaultValue: '0' })
  declare dataTypeId: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), field: 'pager_type', allowNull: false, defaultValue: '' })
  declare pagerType: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), field: 'data_type', allowNull: false, defaultValue: '' })
  declare dataType: CreationOptional<string>;

  @Column({ type: DataType.TEXT, field: 'data_structure', allowNull: false })
  declare dataStructure: string;

  /** `""` when none is set. */
  @Column({ type: DataType.STRING(32), allowNull: false, defaultValue: '' })
  declare unit: CreationOptional<string>;

  /** Field → unit, as JSON; null when none is set. */
  @Column({ type: DataType.TEXT, field: 'field_units', allowNull: true })
  declare fieldUnits: CreationOptional<string | null>;

  @Column({ type: DataType.BOOLEAN, field: 'use_data_storage', allowNull: false, defaultValue: true })
  declare useDataStorage: CreationOptional<boolean>;

  /** Seconds without data after which it is inactive; null is learned from its data. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'expected_interval' })
  declare expectedInterval: CreationOptional<number | null>;

  /** Days that its points are kept; null for the platform's retention. */
  @Column({ type: DataType.SMALLINT.UNSIGNED, field: 'retention_days' })
  declare retentionDays: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
