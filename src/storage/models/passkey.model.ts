import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'passkeys', timestamps: false })
export class Passkey extends Model<InferAttributes<Passkey>, InferCreationAttributes<Passkey>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'user_id', allowNull: false })
  declare userId: number;

  @Column({ type: DataType.STRING(100), allowNull: false })
  declare name: string;

  /** Replaces the id in the index, which it is too long for. */
  @Column({ type: DataType.CHAR(64), field: 'credential_hash', allowNull: false })
  declare credentialHash: string;

  @Column({ type: DataType.STRING(1400), field: 'credential_id', allowNull: false })
  declare credentialId: string;

  /** COSE, in base64url. */
  @Column({ type: DataType.STRING(2000), field: 'public_key', allowNull: false })
  declare publicKey: string;

  /** With commas, as the browser named them. */
  @Column({ type: DataType.STRING(255), allowNull: false })
  declare transports: string;

  /** Grows with each signature; stays 0 for authenticators that do not count. */
  @Column({ type: DataType.BIGINT, allowNull: false })
  declare counter: number;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;

  @Column({ type: DataType.BIGINT, field: 'used_ms', allowNull: true })
  declare usedMs: CreationOptional<number | null>;
}
