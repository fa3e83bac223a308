import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Deleted when it is used. */
@Table({ tableName: 'recovery_codes', timestamps: false })
export class RecoveryCode extends Model<InferAttributes<RecoveryCode>, InferCreationAttributes<RecoveryCode>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'user_id', primaryKey: true })
  declare userId: number;

  @Column({ type: DataType.CHAR(64), field: 'code_hash', primaryKey: true })
  declare codeHash: string;
}
