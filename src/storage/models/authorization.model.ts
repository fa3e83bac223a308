import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** What a user allows an application: one for each user and application, whatever tokens it has. */
@Table({ tableName: 'authorizations', timestamps: false })
export class Authorization extends Model<InferAttributes<Authorization>, InferCreationAttributes<Authorization>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'application_id', allowNull: false })
  declare applicationId: number;

  /** Their names with a space between them. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare scopes: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** `null` when it has no end. */
  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: true })
  declare expiresMs: number | null;

  /** Right to a minute; `null` before the first use. */
  @Column({ type: DataType.BIGINT, field: 'last_used_ms', allowNull: true })
  declare lastUsedMs: CreationOptional<number | null>;
}
