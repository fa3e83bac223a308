import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A sensor from which a user removed themselves: its owner cannot share it with them again. */
@Table({ tableName: 'refused_shares', timestamps: false })
export class RefusedShare extends Model<InferAttributes<RefusedShare>, InferCreationAttributes<RefusedShare>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true, allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', primaryKey: true, allowNull: false })
  declare sensorId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
