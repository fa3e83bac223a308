import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

export type ArchiveKind = 'export' | 'import';
export type ArchiveState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** An export or an import of an account, which a worker makes step by step. */
@Table({ tableName: 'archives', timestamps: false })
export class Archive extends Model<InferAttributes<Archive>, InferCreationAttributes<Archive>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(8), allowNull: false })
  declare kind: ArchiveKind;

  @Column({ type: DataType.STRING(16), allowNull: false })
  declare state: ArchiveState;

  /** `true` while it is not over, otherwise null: an owner has one of a kind. */
  @Column({ type: DataType.BOOLEAN, allowNull: true })
  declare active: CreationOptional<boolean | null>;

  /** JSON. */
  @Column({ type: DataType.TEXT, allowNull: false })
  declare options: string;

  /** JSON: where the next step begins, and what is counted. */
  @Column({ type: DataType.TEXT('medium'), allowNull: false })
  declare progress: string;

  /** Counts the changes: a worker writes only what follows from the latest. */
  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare step: CreationOptional<number>;

  @Column({ type: DataType.TEXT, allowNull: true })
  declare error: CreationOptional<string | null>;

  /** The entry of the file that the error is about. */
  @Column({ type: DataType.STRING(255), allowNull: true })
  declare entry: CreationOptional<string | null>;

  @Column({ type: DataType.INTEGER.UNSIGNED, allowNull: false, defaultValue: 0 })
  declare failures: CreationOptional<number>;

  /** Earliest time of the next step; 0 while none has failed. */
  @Column({ type: DataType.BIGINT, field: 'try_again_ms', allowNull: false, defaultValue: 0 })
  declare tryAgainMs: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** When it is forgotten. */
  @Column({ type: DataType.BIGINT, field: 'ends_ms', allowNull: false })
  declare endsMs: number;
}
