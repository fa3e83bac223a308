import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

@Table({ tableName: 'delivery_attempts', timestamps: false })
export class DeliveryAttempt extends Model<InferAttributes<DeliveryAttempt>, InferCreationAttributes<DeliveryAttempt>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'delivery_id', allowNull: false })
  declare deliveryId: number;

  @Column({ type: DataType.BIGINT, field: 'date_ms', allowNull: false })
  declare dateMs: number;

  @Column({ type: DataType.BIGINT, field: 'status_code', allowNull: true })
  declare statusCode: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, field: 'duration_ms', allowNull: false })
  declare durationMs: number;

  @Column({ type: DataType.STRING(500), allowNull: true })
  declare error: CreationOptional<string | null>;

  @Column({ type: DataType.STRING(500), allowNull: true })
  declare note: CreationOptional<string | null>;

  /** Beginning of the sent body; null for a channel without bodies. For the owner only. */
  @Column({ type: DataType.TEXT, field: 'request_body', allowNull: true })
  declare requestBody: CreationOptional<string | null>;

  /** Beginning of the receiver's answer; null like `requestBody`. For the owner only. */
  @Column({ type: DataType.TEXT, field: 'response_body', allowNull: true })
  declare responseBody: CreationOptional<string | null>;
}
