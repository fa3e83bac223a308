import { CHARACTERS_PER_STATEMENT, ROWS_PER_STATEMENT } from './knobs';

/**
 * Divides rows, in order, into slices that each fit in one statement, however long their texts are. Rows of a generator
 * are in memory one slice at a time.
 */
export function* slices<T extends readonly unknown[]>(
  rows: Iterable<T>,
  rowsPerStatement = ROWS_PER_STATEMENT,
): Generator<T[]> {
  let slice: T[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
    if (slice.length > 0 && (slice.length >= rowsPerStatement || characters + length > CHARACTERS_PER_STATEMENT)) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(row);
    characters += length;
  }
  if (slice.length > 0) yield slice;
}

/** True if these rows, with these characters in total, form one slice. */
export function fitInOneStatement(rows: number, characters: number): boolean {
  return rows <= ROWS_PER_STATEMENT && characters <= CHARACTERS_PER_STATEMENT;
}

/** Issues a statement for each slice of the rows, pipelined, and waits for all of them. */
export async function issueSlices<T extends readonly unknown[]>(
  rows: Iterable<T>,
  issue: (slice: T[]) => Promise<unknown>,
  rowsPerStatement = ROWS_PER_STATEMENT,
): Promise<void> {
  await Promise.all(Array.from(slices(rows, rowsPerStatement), issue));
}

/** A part of a statement, and its parameters. */
export interface SqlPart {
  sql: string;
  values: (readonly (string | number | null)[])[];
}

/**
 * `column = value` for each of these columns, with a separate value for each row, in the order of the ids: one
 * statement for many existing rows. For each row and column MySQL scans the list of ids, so the cost grows with the
 * square of their number. Up to 1,000 rows it is less than the cost of `INSERT … ON DUPLICATE KEY UPDATE`
 * (`src/alerts/trigger-store/state-rows.ts` has figures). Several columns are separated by commas, as in `SET`.
 */
export function valuesById(
  ids: readonly number[],
  columns: Readonly<Record<string, readonly (string | number | null)[]>>,
): SqlPart {
  const entries = Object.entries(columns);
  return {
    sql: entries.map(([column]) => `${column} = ELT(FIELD(id, ?), ?)`).join(', '),
    values: entries.flatMap(([, values]) => [ids, values]),
  };
}
