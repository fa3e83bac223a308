import type { Run } from './migration';

/** Adds a column, unless it is there: the statement commits by itself, so a crash may come right after it. */
export async function addColumn(run: Run, table: string, column: string, definition: string): Promise<void> {
  if (await exists(run, 'columns', `column_name = '${column}'`, table)) return;
  await run(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
}

/** The same for an index. */
export async function addIndex(run: Run, table: string, index: string, columns: string): Promise<void> {
  if (await exists(run, 'statistics', `index_name = '${index}'`, table)) return;
  await run(`ALTER TABLE ${table} ADD KEY ${index} (${columns})`);
}

export async function dropColumn(run: Run, table: string, column: string): Promise<void> {
  if (!(await exists(run, 'columns', `column_name = '${column}'`, table))) return;
  await run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

export async function dropIndex(run: Run, table: string, index: string): Promise<void> {
  if (!(await exists(run, 'statistics', `index_name = '${index}'`, table))) return;
  await run(`ALTER TABLE ${table} DROP KEY ${index}`);
}

async function exists(run: Run, view: string, condition: string, table: string): Promise<boolean> {
  const answer = await run(
    `SELECT 1 FROM information_schema.${view} WHERE table_schema = DATABASE() AND table_name = '${table}' AND ${condition} LIMIT 1`,
  );
  const [rows] = Array.isArray(answer) ? answer : [[]];
  return Array.isArray(rows) && rows.length > 0;
}
