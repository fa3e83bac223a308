import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A long labelled range from which workers train a service, step by step. */
@Table({ tableName: 'training_jobs', timestamps: false })
export class TrainingJob extends Model<InferAttributes<TrainingJob>, InferCreationAttributes<TrainingJob>> {
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

  @Column({ type: DataType.BIGINT, allowNull: false })
  declare points: number;

  @Column({ type: DataType.BIGINT, field: 'points_read', allowNull: false, defaultValue: 0 })
  declare pointsRead: CreationOptional<number>;

  /** JSON input of the next step; null before the first step and after the last. */
  @Column({ type: DataType.TEXT('long'), allowNull: true })
  declare state: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(16), allowNull: false, defaultValue: 'pending' })
  declare status: CreationOptional<'pending' | 'done' | 'failed'>;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare error: CreationOptional<string | null>;

  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare failures: CreationOptional<number>;

  /** Earliest time of the next step; 0 while none has failed. */
  @Column({ type: DataType.BIGINT, field: 'try_again_ms', allowNull: false, defaultValue: 0 })
  declare tryAgainMs: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'finished_ms', allowNull: true })
  declare finishedMs: CreationOptional<number | null>;
}
