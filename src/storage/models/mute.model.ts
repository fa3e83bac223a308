import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/**
 * A period, once or every week, in which the triggers of a user are muted. It has a start and an end, or hours of the
 * week, or both.
 */
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

  /** The ids of the only sensors, as a JSON list; null for all. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare sensors: CreationOptional<string | null>;

  /** The ids of the only triggers, as a JSON list; null for all. */
  @Column({ type: DataType.TEXT, allowNull: true })
  declare triggers: CreationOptional<string | null>;

  /**
   * The days of the week on which its hours begin, as a JSON list. Null, like the next three columns, if it has no
   * hours of the week.
   */
  @Column({ type: DataType.STRING(32), allowNull: true })
  declare days: CreationOptional<string | null>;

  /** `HH:MM`. */
  @Column({ type: DataType.CHAR(5), field: 'from_time', allowNull: true })
  declare fromTime: CreationOptional<string | null>;

  /** `HH:MM`. */
  @Column({ type: DataType.CHAR(5), field: 'to_time', allowNull: true })
  declare toTime: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(64), allowNull: true })
  declare timezone: CreationOptional<string | null>;

  /** True if what begins to fire within it is delivered at its end, if it still fires then. */
  @Column({ type: DataType.BOOLEAN, field: 'delivers_after', allowNull: false, defaultValue: false })
  declare deliversAfter: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
