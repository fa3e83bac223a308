import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'users', timestamps: false })
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(36), allowNull: false })
  declare uuid: string;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare username: string;

  @Column({ type: DataType.STRING(255), field: 'username_key', allowNull: false })
  declare usernameKey: string;

  /** Visual form, to detect lookalikes; null until a process of a release with this column fills it. */
  @Column({ type: DataType.CHAR(64), field: 'username_looks', allowNull: false })
  declare usernameLooks: string;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare email: string;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare name: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare surname: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare mobile: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare address: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare zipcode: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare country: CreationOptional<string>;

  /** IANA name of the zone in which the user reads times; null if not chosen. */
  @Column({ type: DataType.STRING(64), allowNull: true })
  declare timezone: CreationOptional<string | null>;

  /** Language of the mails about the account; null if not chosen. */
  @Column({ type: DataType.STRING(8), allowNull: true })
  declare language: CreationOptional<'en' | 'de' | null>;

  /** Time of the week at which a report on alerts is due; 0 is Sunday. Null, as the hour, without one. */
  @Column({ type: DataType.TINYINT.UNSIGNED, field: 'weekly_report_day', allowNull: true })
  declare weeklyReportDay: CreationOptional<number | null>;

  @Column({ type: DataType.TINYINT.UNSIGNED, field: 'weekly_report_hour', allowNull: true })
  declare weeklyReportHour: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'weekly_report_due_ms', allowNull: true })
  declare weeklyReportDueMs: CreationOptional<number | null>;

  /** End of the week that the last report was about. */
  @Column({ type: DataType.BIGINT, field: 'weekly_reported_ms', allowNull: true })
  declare weeklyReportedMs: CreationOptional<number | null>;

  /** Empty for an account without a password. */
  @Column({ type: DataType.STRING(255), field: 'password_hash', allowNull: false })
  declare passwordHash: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
  /** Start of the removal of the account's data, which makes it unusable; otherwise null. */
  @Column({ type: DataType.BIGINT, field: 'closed_ms', allowNull: true })
  declare closedMs: CreationOptional<number | null>;

  /** Start of the refusal of its credentials by operators; null for an enabled account. */
  @Column({ type: DataType.BIGINT, field: 'disabled_ms', allowNull: true })
  declare disabledMs: CreationOptional<number | null>;
}
