/** A part of a statement, and its parameters. */
export interface SqlPart {
  sql: string;
  values: (readonly (string | number | null)[])[];
}

/**
 * `column = value` for each of these columns, with a value of its own for each row, in the order of the ids: one statement for many rows
 * that exist. For each row and column MySQL goes through the list of ids, so the cost grows with the square of their number: up to
 * 1,000 rows it is less than that of `INSERT … ON DUPLICATE KEY UPDATE` (`src/evaluation/state-rows.ts` has figures). More than one
 * column are separated by commas, as in `SET`.
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
