import type { Statements } from './statements';

/** How a table is rebuilt. Each column's definition is everything after its name, its place (`AFTER …`) included. */
export interface Rebuild {
  drop: readonly string[];
  modify: Readonly<Record<string, string>>;
  add?: Readonly<Record<string, string>>;
  /** Whether the server compresses the pages of the table, if it can. */
  isCompressed: boolean;
}

/** What a column is filled from, and the two columns of the primary key, both whole numbers. */
export interface FillSource {
  from: string;
  key: readonly [string, string];
}

/** Uploads of the same points wait for one step, some tens of milliseconds. */
const ROWS_PER_STEP = 5_000;

/** Gives `column` of every row the value of the expression, in transactions of few rows; what has the value is only read. */
export async function fillInSteps(
  { run, read }: Statements,
  table: string,
  column: string,
  expression: string,
  [first, second]: FillSource['key'],
): Promise<void> {
  let after = '';
  for (;;) {
    const [end] = await read(
      `SELECT ${first} AS a, ${second} AS b FROM ${table} ${after && `WHERE ${after}`}
       ORDER BY ${first}, ${second} LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
      [],
    );
    const { a, b } = end ?? {};
    const within = [
      `${column} <> ${expression}`,
      ...(after ? [after] : []),
      ...(end ? [`(${first} < ${a} OR (${first} = ${a} AND ${second} <= ${b}))`] : []),
    ];
    await run(`UPDATE ${table} SET ${column} = ${expression} WHERE ${within.join(' AND ')}`);
    if (!end) return;
    after = `(${first} > ${a} OR (${first} = ${a} AND ${second} > ${b}))`;
  }
}

/**
 * Rebuilds a table with one statement. Others read and write meanwhile, unless the server cannot do that for this change or
 * more is written than it can take along (`innodb_online_alter_log_max_size`): then they only read. A server that
 * does not compress, or not on its disk, keeps the pages as they are.
 */
export async function rebuild(
  { run, read }: Statements,
  table: string,
  { drop, modify, add = {}, isCompressed }: Rebuild,
): Promise<void> {
  const changes = [
    ...drop.map((column) => `DROP COLUMN ${column}`),
    ...Object.entries(modify).map(([column, definition]) => `MODIFY COLUMN ${column} ${definition}`),
    ...Object.entries(add).map(([column, definition]) => `ADD COLUMN ${column} ${definition}`),
  ].join(', ');
  const [server] = await read('SELECT VERSION() AS version', []);
  const compression = compressionOf(String(server?.version), isCompressed);
  if (compression.before) await firstAccepted(run, [`ALTER TABLE ${table} ${compression.before}`, '']);
  const locks = [', ALGORITHM=INPLACE, LOCK=NONE', ', LOCK=SHARED'];
  const statements = [...new Set([compression.within, ''])].flatMap((option) =>
    locks.map((lock) => `ALTER TABLE ${table} ${changes}${option}${lock}`),
  );
  await firstAccepted(run, statements);
}

/** MariaDB changes the option with the rebuild only, and MySQL before it. */
function compressionOf(version: string, isCompressed: boolean): { before: string; within: string } {
  return /MariaDB/i.test(version)
    ? { before: '', within: `, PAGE_COMPRESSED=${isCompressed ? '1' : 'DEFAULT'}` }
    : { before: `COMPRESSION='${isCompressed ? 'zlib' : ''}'`, within: '' };
}

/** Runs the first of these statements that the server accepts; an empty one needs no server. */
async function firstAccepted(run: Statements['run'], [statement, ...others]: readonly string[]): Promise<void> {
  if (!statement) return;
  try {
    await run(statement);
  } catch (error) {
    if (others.length === 0) throw error;
    await firstAccepted(run, others);
  }
}
