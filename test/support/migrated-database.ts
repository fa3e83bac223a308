import type { Connection, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import { openDatabase } from '../../src/storage';

/** What a database has after all migrations: the statements that make its tables, and the rows that are in them then. */
interface Content {
  tables: string[];
  rows: { table: string; columns: string[]; values: unknown[][] }[];
}

let content: Promise<Content> | undefined;

/**
 * Creates a database with all migrations applied. Only the first of a process runs them; the others get the same tables by
 * their final statements, in a fraction of the time. The platform still looks for migrations when it starts.
 */
export async function createMigratedDatabase(server: Connection, name: string, serverUrl: string): Promise<void> {
  await createDatabase(server, name);
  if (content === undefined) {
    content = migrateFirst(name, serverUrl);
    await content;
    return;
  }
  await fill(name, serverUrl, await content);
}

function createDatabase(server: Connection, name: string) {
  return server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
}

async function migrateFirst(name: string, serverUrl: string): Promise<Content> {
  const database = openDatabase(urlOf(serverUrl, name));
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
  const connection = await mysql.createConnection({ uri: urlOf(serverUrl, name), dateStrings: true });
  try {
    return await read(connection);
  } finally {
    await connection.end();
  }
}

async function read(connection: Connection): Promise<Content> {
  const found: Content = { tables: [], rows: [] };
  const [tables] = await connection.query<RowDataPacket[][]>({ sql: 'SHOW TABLES', rowsAsArray: true });
  for (const [name] of tables) {
    const table = `\`${name}\``;
    const [[statement]] = await connection.query<RowDataPacket[][]>({
      sql: `SHOW CREATE TABLE ${table}`,
      rowsAsArray: true,
    });
    found.tables.push(String(statement?.[1]));
    const [values, fields] = await connection.query<RowDataPacket[][]>({
      sql: `SELECT * FROM ${table}`,
      rowsAsArray: true,
    });
    if (values.length > 0) found.rows.push({ table, columns: fields.map((field) => `\`${field.name}\``), values });
  }
  return found;
}

async function fill(name: string, serverUrl: string, { tables, rows }: Content): Promise<void> {
  const connection = await mysql.createConnection({ uri: urlOf(serverUrl, name), multipleStatements: true });
  try {
    await connection.query(`SET FOREIGN_KEY_CHECKS = 0; ${tables.join(';\n')}`);
    for (const { table, columns, values } of rows) {
      await connection.query(`INSERT INTO ${table} (${columns.join()}) VALUES ?`, [values]);
    }
  } finally {
    await connection.end();
  }
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
