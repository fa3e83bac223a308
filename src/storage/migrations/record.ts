import { QueryTypes, type Sequelize } from 'sequelize';
import type { UmzugStorage } from 'umzug';

/** The applied migrations: a row each in the table `migrations`, which is created before the first row. */
export class MigrationRecord implements UmzugStorage<Sequelize> {
  private hasTable = false;

  constructor(private readonly sequelize: Sequelize) {}

  async logMigration({ name }: { name: string }): Promise<void> {
    if (!this.hasTable) {
      await this.sequelize.query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) NOT NULL PRIMARY KEY)');
      this.hasTable = true;
    }
    await this.sequelize.query('INSERT IGNORE INTO migrations (name) VALUES (?)', { replacements: [name] });
  }

  async unlogMigration({ name }: { name: string }): Promise<void> {
    await this.sequelize.query('DELETE FROM migrations WHERE name = ?', { replacements: [name] });
  }

  async executed(): Promise<string[]> {
    this.hasTable ||= await hasTable(this.sequelize, 'migrations');
    if (!this.hasTable) return [];
    const rows = await this.sequelize.query<{ name: string }>('SELECT name FROM migrations', {
      type: QueryTypes.SELECT,
    });
    return rows.map((row) => row.name);
  }
}

/** Whether the database has a table of this name. */
export async function hasTable(sequelize: Sequelize, table: string): Promise<boolean> {
  const rows = await sequelize.query(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    { type: QueryTypes.SELECT, replacements: [table] },
  );
  return rows.length > 0;
}
