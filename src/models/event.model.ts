import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Something that happened and waits to be told. */
@Table({ tableName: 'events', timestamps: false })
export class Event extends Model<InferAttributes<Event>, InferCreationAttributes<Event>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare name: string;

  @Column({ type: DataType.BIGINT, field: 'subject_id', allowNull: true })
  declare subjectId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'source_id', allowNull: true })
  declare sourceId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'user_id', allowNull: false })
  declare userId: number;

  /** The ids of the users who may hear of it, as JSON. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare audience: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
