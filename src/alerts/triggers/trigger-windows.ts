import { longestWindow } from '../../language/windows/written-windows';
import type { RunSql } from '../../storage/transaction';

/** A trigger with its longest window in seconds; 0 without a window. */
export interface TriggerWindow {
  id: number;
  name: string;
  seconds: number;
}

/** The windows of all triggers that are connected to a sensor, of whichever user. */
export async function triggerWindows(run: RunSql, sensorId: number): Promise<TriggerWindow[]> {
  const rows = await run(
    `SELECT t.id, t.name, t.expression, t.resolve_expression AS resolveExpression
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id WHERE st.sensor_id = ? ORDER BY t.id`,
    [sensorId],
  );
  return rows.map(({ id, name, expression, resolveExpression }) => ({
    id: Number(id),
    name: String(name),
    seconds: longestWindow({ expression: textOf(expression), resolveExpression: textOf(resolveExpression) }),
  }));
}

/** True if triggers of the sensor have windows. */
export async function hasWindows(run: RunSql, sensorId: number): Promise<boolean> {
  return (await triggerWindows(run, sensorId)).some(({ seconds }) => seconds > 0);
}

function textOf(column: unknown): string | null {
  return typeof column === 'string' ? column : null;
}
