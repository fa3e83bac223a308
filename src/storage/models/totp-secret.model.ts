import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'totp_secrets', timestamps: false })
export class TotpSecret extends Model<InferAttributes<TotpSecret>, InferCreationAttributes<TotpSecret>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true })
  declare userId: number;

  /** Sealed. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare secret: string;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  /** Null until the user has sent a code of it: until then, it is asked for nowhere. */
  @Column({ type: DataType.BIGINT, field: 'confirmed_ms', allowNull: true })
  declare confirmedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: true })
  declare usedMs: CreationOptional<number | null>;

  /** The step of the last code that was accepted: earlier codes, and this one, are used up. */
  @Column({ type: DataType.BIGINT, field: 'last_step', allowNull: false, defaultValue: 0 })
  declare lastStep: CreationOptional<number>;
}
