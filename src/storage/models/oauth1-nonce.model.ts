import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** Hash of a used nonce with its consumer, token and timestamp. */
@Table({ tableName: 'oauth1_nonces', timestamps: false })
export class OAuth1Nonce extends Model<InferAttributes<OAuth1Nonce>, InferCreationAttributes<OAuth1Nonce>> {
  @Column({ type: DataType.STRING(64), field: 'nonce_hash', primaryKey: true, allowNull: false })
  declare nonceHash: string;

  @Column({ type: DataType.BIGINT, field: 'expires_ms', allowNull: false })
  declare expiresMs: number;
}
