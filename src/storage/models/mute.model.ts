import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Has a start and an end, hours of the week, or both. */
@Table({ tableName: 'mutes', timestamps: false })
export class Mute extends Model<InferAttributes<Mute>, InferCreationAttributes<Mute>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.BIGINT, field: 'start_ms', allowNull: true })
  declare startMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'end_ms', allowNull: true })
  declare endMs: CreationOptional<number | null>;

  /** JSON list of the only sensors; null for all. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare sensors: CreationOptional<string | null>;

  /** JSON list of the only triggers; null for all. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare triggers: CreationOptional<string | null>;

  /** JSON list of weekdays. Null, like the next three, without hours. */
  @Column({ type: DataType.STRING(32), allowNull: true })
  declare days: CreationOptional<string | null>;

  @Column({ type: DataType.CHAR(5), field: 'from_time', allowNull: true })
  declare fromTime: CreationOptional<string | null>;

  @Column({ type: DataType.CHAR(5), field: 'to_time', allowNull: true })
  declare toTime: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(64), allowNull: true })
  declare timezone: CreationOptional<string | null>;

  /** What begins to fire within the mute is delivered at its end, if it still fires then. */
  @Column({ type: DataType.BOOLEAN, field: 'delivers_after', allowNull: false, defaultValue: false })
  declare deliversAfter: CreationOptional<boolean>;

  /** A member of a group who handles alerts of the owner; null if the owner made it. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'created_by', allowNull: true })
  declare createdBy: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
