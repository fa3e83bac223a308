import type { CreationOptional, InferAttributes, InferCreationAttributes, NonAttribute } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Passwords are argon2id hashes, lists of sensor names JSON. */
@Table({ tableName: 'user_groups', timestamps: false })
export class UserGroup extends Model<InferAttributes<UserGroup>, InferCreationAttributes<UserGroup>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare email: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare username: CreationOptional<string>;

  @Column({ type: DataType.STRING(255), allowNull: false, defaultValue: '' })
  declare mobile: CreationOptional<string>;

  @Column({ type: DataType.TEXT, allowNull: false, defaultValue: '' })
  declare description: CreationOptional<string>;

  @Column({ type: DataType.BOOLEAN, field: 'public', allowNull: false, defaultValue: false })
  declare isPublic: CreationOptional<boolean>;

  /** Visible to members only. */
  @Column({ type: DataType.BOOLEAN, field: 'hidden', allowNull: false, defaultValue: false })
  declare isHidden: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'anonymous', allowNull: false, defaultValue: false })
  declare isAnonymous: CreationOptional<boolean>;

  @Column({ type: DataType.STRING(255), field: 'password_hash', allowNull: true })
  declare passwordHash: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(255), field: 'access_password_hash', allowNull: true })
  declare accessPasswordHash: CreationOptional<string | null>;

  @Column({ type: DataType.TEXT('medium'), field: 'required_sensors', allowNull: false, defaultValue: '[]' })
  declare requiredSensors: CreationOptional<string>;

  @Column({ type: DataType.TEXT('medium'), field: 'optional_sensors', allowNull: false, defaultValue: '[]' })
  declare optionalSensors: CreationOptional<string>;

  /** Counts changes of the two lists. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'demands_version', allowNull: false, defaultValue: 1 })
  declare demandsVersion: CreationOptional<number>;

  @Column({ type: DataType.BOOLEAN, field: 'default_list_users', allowNull: false, defaultValue: true })
  declare defaultListUsers: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_add_users', allowNull: false, defaultValue: false })
  declare defaultAddUsers: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_remove_users', allowNull: false, defaultValue: false })
  declare defaultRemoveUsers: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_list_sensors', allowNull: false, defaultValue: true })
  declare defaultListSensors: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_add_sensors', allowNull: false, defaultValue: true })
  declare defaultAddSensors: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_remove_sensors', allowNull: false, defaultValue: false })
  declare defaultRemoveSensors: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_see_alerts', allowNull: false, defaultValue: false })
  declare defaultSeeAlerts: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'default_handle_alerts', allowNull: false, defaultValue: false })
  declare defaultHandleAlerts: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_first_name', allowNull: false, defaultValue: true })
  declare requiredShowFirstName: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_surname', allowNull: false, defaultValue: true })
  declare requiredShowSurname: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_email', allowNull: false, defaultValue: false })
  declare requiredShowEmail: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_phone_number', allowNull: false, defaultValue: false })
  declare requiredShowPhoneNumber: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_username', allowNull: false, defaultValue: false })
  declare requiredShowUsername: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_id', allowNull: false, defaultValue: true })
  declare requiredShowId: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_zipcode', allowNull: false, defaultValue: true })
  declare requiredShowZipcode: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_address', allowNull: false, defaultValue: true })
  declare requiredShowAddress: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'required_show_country', allowNull: false, defaultValue: true })
  declare requiredShowCountry: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  get requiredSensorNames(): NonAttribute<string[]> {
    return JSON.parse(this.requiredSensors);
  }

  get optionalSensorNames(): NonAttribute<string[]> {
    return JSON.parse(this.optionalSensors);
  }
}
