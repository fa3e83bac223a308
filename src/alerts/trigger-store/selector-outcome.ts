import type { RunSql } from '../../storage/transaction';

export interface SelectorOutcome {
  /** Null if the trigger has no selector and no connections of one. */
  sensors: number | null;
  error: string | null;
}

/** No pass reads the outcome, so no cache becomes stale. */
export async function recordOutcome(
  run: RunSql,
  triggerId: number,
  { sensors, error }: SelectorOutcome,
): Promise<void> {
  // A trigger whose selector was removed meanwhile keeps its number until its connections are removed.
  const condition = sensors === null ? 'selector IS NULL' : 'selector IS NOT NULL';
  await run(`UPDATE triggers SET selected_sensors = ?, selector_error = ? WHERE id = ? AND ${condition}`, [
    sensors,
    error,
    triggerId,
  ]);
}
