import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** The picture behind an environment's outline, and its place on the earth. */
@Table({ tableName: 'floor_plans', timestamps: false })
export class FloorPlan extends Model<InferAttributes<FloorPlan>, InferCreationAttributes<FloorPlan>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'environment_id', primaryKey: true, allowNull: false })
  declare environmentId: number;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare type: string;

  @Column({ type: DataType.BLOB('medium'), allowNull: false })
  declare image: Buffer;

  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'image_bytes', allowNull: false })
  declare imageBytes: number;

  @Column({ type: DataType.SMALLINT.UNSIGNED, field: 'pixel_width', allowNull: false })
  declare pixelWidth: number;

  @Column({ type: DataType.SMALLINT.UNSIGNED, field: 'pixel_height', allowNull: false })
  declare pixelHeight: number;

  /** `<latitude> <longitude>` of the middle. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare position: string;

  /** In metres. */
  @Column({ type: DataType.DOUBLE, allowNull: false })
  declare width: number;

  @Column({ type: DataType.DOUBLE, allowNull: false })
  declare rotation: number;

  @Column({ type: DataType.BIGINT, field: 'changed_ms', allowNull: false })
  declare changedMs: number;
}
