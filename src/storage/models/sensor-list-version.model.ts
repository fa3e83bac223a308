import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Changes with a user's own sensors, and with where their series lead. No row before the first change. */
@Table({ tableName: 'sensor_list_versions', timestamps: false })
export class SensorListVersion extends Model<
  InferAttributes<SensorListVersion>,
  InferCreationAttributes<SensorListVersion>
> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', primaryKey: true, allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.CHAR(36), allowNull: false })
  declare version: string;
}
