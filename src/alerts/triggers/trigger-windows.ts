import { longestWindow, mayHaveWindows, type TriggerExpressions } from '../../language/windows/written-windows';
import type { RunSql } from '../../storage/transaction';

export interface TriggerWindow {
  id: number;
  name: string;
  /** Length of the longest window; 0 without a window. */
  seconds: number;
}

/** Reads all triggers that are connected to a sensor, of whichever user. */
export async function triggerWindows(run: RunSql, sensorId: number): Promise<TriggerWindow[]> {
  const triggers = await triggersOn(run, sensorId);
  return triggers.map(({ id, name, ...rule }) => ({ id, name, seconds: longestWindow(rule) }));
}

/** False if no trigger of the sensor has windows. Compiles nothing. */
export async function hasWindows(run: RunSql, sensorId: number): Promise<boolean> {
  return (await triggersOn(run, sensorId)).some(mayHaveWindows);
}

interface WrittenTrigger extends TriggerExpressions {
  id: number;
  name: string;
}

async function triggersOn(run: RunSql, sensorId: number): Promise<WrittenTrigger[]> {
  const rows = await run(
    `SELECT t.id, t.name, t.expression, t.resolve_expression AS resolveExpression
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id WHERE st.sensor_id = ? ORDER BY t.id`,
    [sensorId],
  );
  return rows.map(({ id, name, expression, resolveExpression }) => ({
    id: Number(id),
    name: String(name),
    expression: textOf(expression),
    resolveExpression: textOf(resolveExpression),
  }));
}

function textOf(column: unknown): string | null {
  return typeof column === 'string' ? column : null;
}
