import { compileExpression } from '../../language/expression';
import { labelsAsUsed } from '../../language/labels';
import { SensorWindows } from '../../language/windows/sensor-windows';
import { resultsAt } from '../../language/windows/window-results';
import { type Compute, inOneStep } from '../../platform/steps';
import { readStoredRange } from '../../points';
import type { Reader } from '../../storage/read-pool';
import type { Alert } from './alert';

/**
 * Computes window results from the stored points. If points changed since, the expression may not be true for the
 * results, and does not explain the firing.
 */
export async function withWindows(from: Reader, alert: Alert, compute: Compute): Promise<Alert> {
  const { sensor, trigger, state, reason, variables } = alert;
  const compiled = trigger.expression === null ? undefined : compileExpression(trigger.expression);
  const calls = compiled?.ok ? compiled.expression.windows : [];
  const date = variables?.sensor_data_date ?? null;
  if (calls.length === 0 || state !== 'firing' || reason !== 'expression' || sensor.id === null || date === null) {
    return alert;
  }
  const untilMs = Math.round(date * 1000);
  const afterMs = untilMs - Math.max(...calls.map(({ seconds }) => seconds)) * 1000;
  const { points } = await readStoredRange(from, { sensorId: sensor.id, afterMs, untilMs });
  const labels = labelsAsUsed(sensor.name, variables?.labels);
  const windows = new SensorWindows(calls, { dataType: sensor.dataType, keptDays: null, labels });
  await compute(windows.fill(points));
  return { ...alert, windows: await compute(inOneStep(() => resultsAt(calls, windows, untilMs))) };
}
