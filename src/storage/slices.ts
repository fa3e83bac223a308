import { CHARACTERS_PER_STATEMENT, ROWS_PER_STATEMENT } from './knobs';

/** A slice fits in one statement. A generator's rows are in memory one slice at a time. */
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

/** `characters` is the total. */
export function fitInOneStatement(rows: number, characters: number): boolean {
  return rows <= ROWS_PER_STATEMENT && characters <= CHARACTERS_PER_STATEMENT;
}

/** Waits for all. */
export async function issueSlices<T extends readonly unknown[]>(
  rows: Iterable<T>,
  issue: (slice: T[]) => Promise<unknown>,
  rowsPerStatement = ROWS_PER_STATEMENT,
): Promise<void> {
  await Promise.all(Array.from(slices(rows, rowsPerStatement), issue));
}

export interface SqlPart {
  sql: string;
  values: (readonly (string | number | null)[])[];
}

/**
 * `column = value` with a value per row, in the order of the ids; several columns are separated by commas. The cost is
 * quadratic, but up to 1,000 rows below `INSERT … ON DUPLICATE KEY UPDATE` (`src/alerts/trigger-store/state-rows.ts`).
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
