/** Runs the statements of migrations on the server. */
export interface Statements {
  /** Runs one statement that changes the schema or rows. */
  run(sql: string): Promise<unknown>;
  /** Returns the rows that a query selects. */
  read(sql: string, values: readonly string[]): Promise<readonly Record<string, unknown>[]>;
}
