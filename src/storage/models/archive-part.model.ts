import type { InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';

/** A piece of an entry of an export, or of the file of an import, of about a megabyte. */
@Table({ tableName: 'archive_parts', timestamps: false })
export class ArchivePart extends Model<InferAttributes<ArchivePart>, InferCreationAttributes<ArchivePart>> {
  @Column({ type: DataType.BIGINT.UNSIGNED, field: 'archive_id', primaryKey: true, allowNull: false })
  declare archiveId: number;

  @Column({ type: DataType.INTEGER.UNSIGNED, primaryKey: true, allowNull: false })
  declare position: number;

  /** The name of the entry; empty in an import. */
  @Column({ type: DataType.STRING(64), allowNull: false })
  declare entry: string;

  @Column({ type: DataType.INTEGER.UNSIGNED, field: 'line_count', allowNull: false })
  declare lineCount: number;

  @Column({ type: DataType.BLOB('medium'), allowNull: false })
  declare body: Buffer;
}
