/** A part of a statement, and its parameters. */
export interface SqlPart {
  sql: string;
  values: (readonly (string | number | null)[])[];
}

/**
 * `column = value` for each of these columns, with a separate value for each row, in the order of the ids: one
 * statement for many existing rows. For each row and column MySQL scans the list of ids, so the cost grows with the
 * square of their number. Up to 1,000 rows it is less than the cost of `INSERT … ON DUPLICATE KEY UPDATE`
 * (`src/evaluation/state-rows.ts` has figures). Several columns are separated by commas, as in `SET`.
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
