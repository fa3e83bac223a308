import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** To a group or a sensor; for a user, or for everyone who has its link. Accepted and declined ones stay until their end. */
@Table({ tableName: 'invitations', timestamps: false })
export class Invitation extends Model<InferAttributes<Invitation>, InferCreationAttributes<Invitation>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'group_id', allowNull: true })
  declare groupId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'sensor_id', allowNull: true })
  declare sensorId: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'inviter_id', allowNull: false })
  declare inviterId: number;

  /** Null for a link. */
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: true })
  declare userId: CreationOptional<number | null>;

  /** Null for an invitation to a user. */
  @Column({ type: DataType.STRING(64), field: 'token_hash', allowNull: true })
  declare tokenHash: CreationOptional<string | null>;

  /** How many users can still accept it. */
  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'uses_left', allowNull: false })
  declare usesLeft: number;

  @Column({ type: DataType.BOOLEAN, allowNull: false, defaultValue: false })
  declare declined: CreationOptional<boolean>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: false })
  declare expiresMs: number;
}
