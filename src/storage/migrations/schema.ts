import { type FillSource, fillInSteps, type Rebuild, rebuild } from './large-tables';
import type { Statements } from './statements';

const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci';

/**
 * The steps of migrations. MySQL commits each statement that defines tables, so a process can die between any two of them;
 * each step therefore does nothing when it is already done.
 */
export interface Schema {
  createTable(table: string, definition: string): Promise<void>;
  dropTable(table: string): Promise<void>;
  renameTable(from: string, to: string): Promise<void>;

  /** `definition` is everything after the column's name, its place (`AFTER …`) included. */
  addColumn(table: string, column: string, definition: string): Promise<void>;
  /** Adds several columns with one statement: all of them are there, or none. */
  addColumns(table: string, columns: Readonly<Record<string, string>>): Promise<void>;
  /** Gives a column this whole definition. */
  modifyColumn(table: string, column: string, definition: string): Promise<void>;
  renameColumn(table: string, from: string, to: string): Promise<void>;
  dropColumn(table: string, column: string): Promise<void>;
  /** Drops several columns with one statement. */
  dropColumns(table: string, columns: readonly string[]): Promise<void>;

  /** Fails when the table has an index of that name over other columns. */
  addIndex(table: string, index: string, columns: readonly string[]): Promise<void>;
  /** The same for a unique index. */
  addUniqueIndex(table: string, index: string, columns: readonly string[]): Promise<void>;
  /** Gives an existing index other columns, at no time leaving the table without it. */
  replaceIndex(table: string, index: string, columns: readonly string[]): Promise<void>;
  renameIndex(table: string, from: string, to: string): Promise<void>;
  dropIndex(table: string, index: string): Promise<void>;

  /** Gives a foreign key another name. `definition` is everything after `FOREIGN KEY`. */
  renameForeignKey(table: string, from: string, to: string, definition: string): Promise<void>;

  /** Changes rows. Repeating the statement must change nothing more. */
  changeRows(sql: string): Promise<void>;
  /** Gives `column` of every row the value of the expression, some rows at a time, as long as the table has the column `from`. */
  fillColumn(table: string, column: string, expression: string, source: FillSource): Promise<void>;
  /** Rebuilds a large table with one statement, so that it can be read and, where the server allows it, written meanwhile. */
  rebuildTable(table: string, change: Rebuild): Promise<void>;
  /**
   * How much effort MariaDB spends on compressing the pages of a table, 1 to 9, or `undefined` for what its server does; pages keep theirs until they are
   * written again. Nothing where the table is not compressed, nor on MySQL, which has a setting of the server only.
   */
  setCompressionLevel(table: string, level: number | undefined): Promise<void>;
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

  async renameTable(from: string, to: string): Promise<void> {
    await this.step(
      async () => (await this.hasTable(to)) && !(await this.hasTable(from)),
      `RENAME TABLE ${from} TO ${to}`,
    );
  }

  async addColumn(table: string, column: string, definition: string): Promise<void> {
    await this.step(() => this.hasColumn(table, column), `ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
  }

  async addColumns(table: string, columns: Readonly<Record<string, string>>): Promise<void> {
    const added = Object.entries(columns).map(([column, definition]) => `ADD COLUMN ${column} ${definition}`);
    const [first = ''] = Object.keys(columns);
    await this.step(() => this.hasColumn(table, first), `ALTER TABLE ${table} ${added.join(', ')}`);
  }

  async modifyColumn(table: string, column: string, definition: string): Promise<void> {
    await this.statements.run(`ALTER TABLE ${table} MODIFY COLUMN ${column} ${definition}`);
  }

  async renameColumn(table: string, from: string, to: string): Promise<void> {
    await this.step(
      async () => (await this.hasColumn(table, to)) && !(await this.hasColumn(table, from)),
      `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`,
    );
  }

  async dropColumn(table: string, column: string): Promise<void> {
    await this.step(async () => !(await this.hasColumn(table, column)), `ALTER TABLE ${table} DROP COLUMN ${column}`);
  }

  async dropColumns(table: string, columns: readonly string[]): Promise<void> {
    const dropped = columns.map((column) => `DROP COLUMN ${column}`);
    const [first = ''] = columns;
    await this.step(async () => !(await this.hasColumn(table, first)), `ALTER TABLE ${table} ${dropped.join(', ')}`);
  }

  async addIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.createIndex('KEY', table, index, columns);
  }

  async addUniqueIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.createIndex('UNIQUE KEY', table, index, columns);
  }

  // One statement, so that a late repetition by another process does not drop the new index.
  async replaceIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.step(
      () => this.hasIndexOver(table, index, columns),
      `ALTER TABLE ${table} DROP KEY ${index}, ADD KEY ${index} (${columns.join(', ')})`,
    );
  }

  async renameIndex(table: string, from: string, to: string): Promise<void> {
    await this.step(
      async () => (await this.hasIndex(table, to)) && !(await this.hasIndex(table, from)),
      `ALTER TABLE ${table} RENAME INDEX ${from} TO ${to}`,
    );
  }

  async dropIndex(table: string, index: string): Promise<void> {
    await this.step(async () => !(await this.hasIndex(table, index)), `ALTER TABLE ${table} DROP KEY ${index}`);
  }

  // Two statements: MySQL does not promise that one can add and drop foreign keys when it copies the table.
  async renameForeignKey(table: string, from: string, to: string, definition: string): Promise<void> {
    await this.step(
      () => this.hasForeignKey(table, to),
      `ALTER TABLE ${table} ADD CONSTRAINT ${to} FOREIGN KEY ${definition}`,
    );
    await this.step(
      async () => !(await this.hasForeignKey(table, from)),
      `ALTER TABLE ${table} DROP FOREIGN KEY ${from}`,
    );
  }

  async changeRows(sql: string): Promise<void> {
    await this.statements.run(sql);
  }

  async fillColumn(table: string, column: string, expression: string, { from, key }: FillSource): Promise<void> {
    if (await this.hasColumn(table, from)) await fillInSteps(this.statements, table, column, expression, key);
  }

  async rebuildTable(table: string, change: Rebuild): Promise<void> {
    const isDone = async () => {
      const dropped = await Promise.all(change.drop.map((column) => this.hasColumn(table, column)));
      return !dropped.includes(true);
    };
    await this.doOnce(isDone, () => rebuild(this.statements, table, change));
  }

  async setCompressionLevel(table: string, level: number | undefined): Promise<void> {
    const [row] = await this.statements.read(
      'SELECT create_options AS options FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
      [table],
    );
    if (!/PAGE_COMPRESSED/i.test(String(row?.options))) return;
    await this.statements.run(`ALTER TABLE ${table} PAGE_COMPRESSION_LEVEL=${level ?? 'DEFAULT'}, ALGORITHM=INSTANT`);
  }

  /**
   * Runs the statement unless it is already done. The server completes the statement of a killed process: this one may
   * have to wait for it, and then fail because the other has done the same.
   */
  private async step(isDone: () => Promise<boolean>, sql: string): Promise<void> {
    await this.doOnce(isDone, () => this.statements.run(sql));
  }

  private async doOnce(isDone: () => Promise<boolean>, work: () => Promise<unknown>): Promise<void> {
    if (await isDone()) return;
    try {
      await work();
    } catch (error) {
      if (!(await isDone().catch(() => false))) throw error;
    }
  }

  private async createIndex(kind: string, table: string, index: string, columns: readonly string[]): Promise<void> {
    await this.step(
      () => this.hasIndexOver(table, index, columns),
      `ALTER TABLE ${table} ADD ${kind} ${index} (${columns.join(', ')})`,
    );
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

  private async hasForeignKey(table: string, name: string): Promise<boolean> {
    return this.exists(
      'table_constraints',
      `table_name = ? AND constraint_name = ? AND constraint_type = 'FOREIGN KEY'`,
      [table, name],
    );
  }

  private async exists(view: string, condition: string, values: readonly string[]): Promise<boolean> {
    const sql = `SELECT 1 FROM information_schema.${view} WHERE table_schema = DATABASE() AND ${condition} LIMIT 1`;
    return (await this.statements.read(sql, values)).length > 0;
  }
}
