import { isFromServer, isPermanent } from '../mysql-errors';
import type { Statements } from './statements';

const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci';

/**
 * The steps of migrations. MySQL commits each statement that defines tables, so a process can die between any two of them;
 * each step therefore does nothing when it is already done.
 */
export interface Schema {
  createTable(table: string, definition: string): Promise<void>;
  dropTable(table: string): Promise<void>;

  /** `definition` is everything after the column's name, its place (`AFTER …`) included. */
  addColumn(table: string, column: string, definition: string): Promise<void>;
  dropColumn(table: string, column: string): Promise<void>;

  /** Fails when the table has an index of that name over other columns. */
  addUniqueIndex(table: string, index: string, columns: readonly string[]): Promise<void>;
  /** Fails when the table has an index of that name over other columns. */
  addIndex(table: string, index: string, columns: readonly string[]): Promise<void>;
  dropIndex(table: string, index: string): Promise<void>;

  /** Changes rows. Repeating the statement must change nothing more. */
  changeRows(sql: string): Promise<void>;
  /**
   * Compresses the pages that are written from now on. `level` is the effort on MariaDB, 1 to 9; on MySQL a setting of the
   * server decides. A server that does not compress, or not on its disk, keeps the pages as they are.
   */
  compressPages(table: string, level: number): Promise<void>;
  /** Stops the compression of pages. Pages that are compressed already stay readable. */
  decompressPages(table: string): Promise<void>;
}

/** The steps on MariaDB (10.6 or later) or MySQL (8.0 or later), in the current database of the connection. */
export class MysqlSchema implements Schema {
  constructor(private readonly statements: Statements) {}

  async createTable(table: string, definition: string): Promise<void> {
    await this.step(() => this.hasTable(table), `CREATE TABLE ${table} (${definition}) ${OPTIONS}`);
  }

  async dropTable(table: string): Promise<void> {
    await this.step(async () => !(await this.hasTable(table)), `DROP TABLE ${table}`);
  }

  async addColumn(table: string, column: string, definition: string): Promise<void> {
    await this.step(() => this.hasColumn(table, column), `ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
  }

  async dropColumn(table: string, column: string): Promise<void> {
    await this.step(async () => !(await this.hasColumn(table, column)), `ALTER TABLE ${table} DROP COLUMN ${column}`);
  }

  async addUniqueIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.step(
      () => this.hasIndexOver(table, index, columns),
      `ALTER TABLE ${table} ADD UNIQUE KEY ${index} (${columns.join(', ')})`,
    );
  }

  async addIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.step(
      () => this.hasIndexOver(table, index, columns),
      `ALTER TABLE ${table} ADD KEY ${index} (${columns.join(', ')})`,
    );
  }

  async dropIndex(table: string, index: string): Promise<void> {
    await this.step(async () => !(await this.hasIndex(table, index)), `ALTER TABLE ${table} DROP KEY ${index}`);
  }

  async changeRows(sql: string): Promise<void> {
    await this.statements.run(sql);
  }

  async compressPages(table: string, level: number): Promise<void> {
    if (await this.exists('tables', "table_name = ? AND create_options LIKE '%COMPRESS%'", [table])) return;
    const options = (await this.isMariaDb())
      ? `PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=${level}`
      : "COMPRESSION='zlib'";
    try {
      await this.statements.run(`ALTER TABLE ${table} ${options}`);
    } catch (error) {
      if (!isFromServer(error) || !isPermanent(error)) throw error;
    }
  }

  async decompressPages(table: string): Promise<void> {
    const options = (await this.isMariaDb())
      ? 'PAGE_COMPRESSED=DEFAULT PAGE_COMPRESSION_LEVEL=DEFAULT'
      : "COMPRESSION=''";
    await this.statements.run(`ALTER TABLE ${table} ${options}`);
  }

  private async isMariaDb(): Promise<boolean> {
    const [server] = await this.statements.read('SELECT VERSION() AS version', []);
    return /MariaDB/i.test(String(server?.version));
  }

  /**
   * Runs the statement unless it is already done. The server completes the statement of a killed process: this one may
   * have to wait for it, and then fail because the other has done the same.
   */
  private async step(isDone: () => Promise<boolean>, sql: string): Promise<void> {
    if (await isDone()) return;
    try {
      await this.statements.run(sql);
    } catch (error) {
      if (!(await isDone().catch(() => false))) throw error;
    }
  }

  private async hasTable(table: string): Promise<boolean> {
    return this.exists('tables', 'table_name = ?', [table]);
  }

  private async hasColumn(table: string, column: string): Promise<boolean> {
    return this.exists('columns', 'table_name = ? AND column_name = ?', [table, column]);
  }

  private async hasIndex(table: string, index: string): Promise<boolean> {
    return this.exists('statistics', 'table_name = ? AND index_name = ?', [table, index]);
  }

  private async hasIndexOver(table: string, index: string, columns: readonly string[]): Promise<boolean> {
    const rows = await this.statements.read(
      `SELECT column_name AS columnName FROM information_schema.statistics
       WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? ORDER BY seq_in_index`,
      [table, index],
    );
    return rows.map(({ columnName }) => columnName).join() === columns.join();
  }

  private async exists(view: string, condition: string, values: readonly string[]): Promise<boolean> {
    const sql = `SELECT 1 FROM information_schema.${view} WHERE table_schema = DATABASE() AND ${condition} LIMIT 1`;
    return (await this.statements.read(sql, values)).length > 0;
  }
}
