/** Runs one plain SQL statement. */
export type Run = (sql: string) => Promise<unknown>;

/** One step of the schema. Statements in MySQL commit by themselves, so every step can be run again after a crash. */
export interface Migration {
  name: string;
  up(run: Run): Promise<void>;
  down(run: Run): Promise<void>;
}
