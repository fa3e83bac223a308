import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** An address's decisions about the mails of one user: `delivery/mail/mail-recipients.ts`. */
@Table({ tableName: 'mail_recipients', timestamps: false })
export class MailRecipient extends Model<InferAttributes<MailRecipient>, InferCreationAttributes<MailRecipient>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, primaryKey: true, autoIncrement: true })
  declare id: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'owner_id', allowNull: false })
  declare ownerId: number;

  /** Normalised by `addressKey`. */
  @Column({ type: DataType.STRING(512), allowNull: false })
  declare address: string;

  @Column({ type: DataType.STRING(64), allowNull: false })
  declare secret: string;

  /** Null before the confirmation. */
  @Column({ type: DataType.BIGINT, field: 'confirmed_ms', allowNull: true })
  declare confirmedMs: CreationOptional<number | null>;

  /** Overrides `confirmedMs`; null if not unsubscribed. */
  @Column({ type: DataType.BIGINT, field: 'unsubscribed_ms', allowNull: true })
  declare unsubscribedMs: CreationOptional<number | null>;

  @Column({ type: DataType.BIGINT, allowNull: false, defaultValue: 0 })
  declare asked: CreationOptional<number>;

  @Column({ type: DataType.BIGINT, field: 'created_ms', allowNull: false })
  declare createdMs: number;
}
