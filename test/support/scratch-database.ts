import { randomBytes } from 'node:crypto';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';

/** An empty database on the server of the tests. */
export interface ScratchDatabase {
  url: string;
  /** A connection in it, of its own. */
  connection: Connection;
  rows(sql: string, values?: unknown[]): Promise<RowDataPacket[]>;
  /** The definition of every table, as lines, but of those in which the migrations keep their own state. */
  schema(): Promise<Record<string, string[]>>;
  drop(): Promise<void>;
}

const OWN_TABLES_OF_MIGRATIONS = ['migrations', 'migration_lease'];

export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(String(process.env.MYSQL_URL));
  const connection = await mysql.createConnection(url.href);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.query(`USE ${name}`);
  url.pathname = `/${name}`;
  const rows = async (sql: string, values: unknown[] = []) => (await connection.query<RowDataPacket[]>(sql, values))[0];
  return {
    url: url.href,
    connection,
    rows,
    schema: async () => {
      const tables = (await rows('SHOW TABLES')).flatMap((row) => Object.values(row));
      const definitions: Record<string, string[]> = {};
      for (const table of tables.filter((table) => !OWN_TABLES_OF_MIGRATIONS.includes(table))) {
        const [row] = await rows(`SHOW CREATE TABLE ${table}`);
        definitions[table] = comparable(String(row?.['Create Table']));
      }
      return definitions;
    },
    drop: async () => {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
}

/** Indexes are listed in the order in which they were made, which means nothing. */
function comparable(definition: string): string[] {
  const lines = definition.replace(/ AUTO_INCREMENT=\d+/, '').split(/,?\n/);
  const isIndex = (line: string) => /^ *(UNIQUE )?KEY /.test(line);
  return [...lines.filter((line) => !isIndex(line)), ...lines.filter(isIndex).sort()];
}
