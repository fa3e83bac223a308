import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Something that happened and waits to be dispatched to the event notifications that match. */
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

  /** The ids of the users whom it may be reported to, as JSON. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare audience: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** The users of the audience up to this id have their deliveries; null before the first of them. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'done_user_id', allowNull: true })
  declare doneUserId: CreationOptional<number | null>;

  /** When an event that could not be dispatched is tried again; null for all others. */
  @Column({ type: DataType.BIGINT, field: 'retry_at_ms', allowNull: true })
  declare retryAtMs: CreationOptional<number | null>;

  /** How often it could not be dispatched. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare failures: CreationOptional<number>;
}
