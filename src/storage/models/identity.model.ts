import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** What the provider of OpenID Connect knows a user by. The issuer and the subject together never change. */
@Table({ tableName: 'identities', timestamps: false })
export class Identity extends Model<InferAttributes<Identity>, InferCreationAttributes<Identity>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare issuer: string;

  @Column({ type: DataType.STRING(255), allowNull: false })
  declare subject: string;

  /** For people: the username or address there, when it was last used. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare name: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** The latest login; null before the first. */
  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: true })
  declare usedMs: CreationOptional<number | null>;
}
