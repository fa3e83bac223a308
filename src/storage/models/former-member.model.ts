import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Rights of a user who left a group: joining again gives no others. */
@Table({ tableName: 'former_members', timestamps: false })
export class FormerMember extends Model<InferAttributes<FormerMember>, InferCreationAttributes<FormerMember>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', primaryKey: true, allowNull: false })
  declare groupId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true, allowNull: false })
  declare userId: number;

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
}
