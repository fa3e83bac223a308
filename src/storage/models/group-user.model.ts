import type { CreationOptional, InferAttributes, InferCreationAttributes, NonAttribute } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'group_users', timestamps: false })
export class GroupUser extends Model<InferAttributes<GroupUser>, InferCreationAttributes<GroupUser>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', primaryKey: true, allowNull: false })
  declare groupId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true, allowNull: false })
  declare userId: number;

  /** False for a waiting join request. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare accepted: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'list_users', allowNull: false })
  declare listUsers: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'add_users', allowNull: false })
  declare addUsers: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'remove_users', allowNull: false })
  declare removeUsers: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'list_sensors', allowNull: false })
  declare listSensors: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'add_sensors', allowNull: false })
  declare addSensors: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'remove_sensors', allowNull: false })
  declare removeSensors: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'edit_group', allowNull: false })
  declare editGroup: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'see_alerts', allowNull: false, defaultValue: false })
  declare seeAlerts: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'handle_alerts', allowNull: false, defaultValue: false })
  declare handleAlerts: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'show_first_name', allowNull: false })
  declare showFirstName: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'show_surname', allowNull: false })
  declare showSurname: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'show_email', allowNull: false })
  declare showEmail: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'show_phone_number', allowNull: false })
  declare showPhoneNumber: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'show_username', allowNull: false })
  declare showUsername: boolean;

  @Column({ type: DataType.BOOLEAN, field: 'show_id', allowNull: false })
  declare showId: boolean;

  /** The group asked for this and what follows when the user joined or asked to join. */
  @Column({ type: DataType.BOOLEAN, field: 'agreed_first_name', allowNull: false, defaultValue: false })
  declare agreedFirstName: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_surname', allowNull: false, defaultValue: false })
  declare agreedSurname: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_email', allowNull: false, defaultValue: false })
  declare agreedEmail: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_phone_number', allowNull: false, defaultValue: false })
  declare agreedPhoneNumber: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_username', allowNull: false, defaultValue: false })
  declare agreedUsername: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_id', allowNull: false, defaultValue: false })
  declare agreedId: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_zipcode', allowNull: false, defaultValue: false })
  declare agreedZipcode: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_address', allowNull: false, defaultValue: false })
  declare agreedAddress: CreationOptional<boolean>;

  @Column({ type: DataType.BOOLEAN, field: 'agreed_country', allowNull: false, defaultValue: false })
  declare agreedCountry: CreationOptional<boolean>;

  /** Version of the group's demands that the user saw. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'demands_version', allowNull: false, defaultValue: 1 })
  declare demandsVersion: CreationOptional<number>;

  /** The identity provider made the user a member, and may end it. */
  @Column({ type: DataType.BOOLEAN, field: 'is_provided', allowNull: false, defaultValue: false })
  declare isProvided: CreationOptional<boolean>;

  /** JSON list of sensors to share on acceptance. */
  @Column({ type: DataType.TEXT('medium'), field: 'offered_sensors', allowNull: false, defaultValue: '[]' })
  declare offeredSensors: CreationOptional<string>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  get offeredSensorIds(): NonAttribute<number[]> {
    return JSON.parse(this.offeredSensors);
  }
}
