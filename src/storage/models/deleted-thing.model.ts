import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'purge_queue', timestamps: false })
export class DeletedThing extends Model<InferAttributes<DeletedThing>, InferCreationAttributes<DeletedThing>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare kind: 'sensor' | 'trigger' | 'user' | 'decisions';

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'thing_id', allowNull: false })
  declare thingId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'retry_at_ms', allowNull: false, defaultValue: 0 })
  declare retryAtMs: CreationOptional<number>;
}
