import type { RowDataPacket } from 'mysql2/promise';
import { toUnixSeconds } from '../../edge/dates';
import { compileExpression } from '../../language/expression';
import type { SensorLabels } from '../../language/labels';
import type { ExpressionValue } from '../../language/sensor-value';
import type { TriggerExpressions } from '../../language/windows/written-windows';
import { readLabels } from '../../storage/labels';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';
import { labelsOf } from '../rules/rule-labels';
import { readsZones } from '../rules/rule-zones';

/** Further triggers of a sensor are left out. */
const MOST_LIMITS = 20;
const OF_A_POINT: ReadonlySet<string> = new Set(['sensor_data_value', 'sensor_data_date']);

/** A trigger whose expression is a condition on the value of a point alone, perhaps at certain times. */
export interface ValueLimit {
  triggerId: number;
  trigger: string;
  /** True if the expression is; false if it cannot be evaluated. */
  isPassed(value: ExpressionValue, dateMs: number): boolean;
}

/**
 * Those of the user's active triggers on a sensor whose expressions read no earlier points, no windows and no clock.
 */
export async function readValueLimits(reads: Reader, userId: number, sensorId: number): Promise<ValueLimit[]> {
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT t.id, t.name, t.expression, t.timezone FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
     WHERE st.sensor_id = ? AND t.owner_id = ? AND st.active AND t.expression IS NOT NULL ORDER BY t.id`,
    [sensorId, userId],
  );
  const found = await readLabels(
    runOn(reads),
    [sensorId],
    rows.flatMap((row) => labelsOf(row as TriggerExpressions)),
  );
  const labels = { sensorName: '', values: found.get(sensorId) ?? new Map() };
  return rows.flatMap((row) => limitOf(row, labels) ?? []).slice(0, MOST_LIMITS);
}

function limitOf(
  { id, name, expression: text, timezone }: RowDataPacket,
  labels: SensorLabels,
): ValueLimit | undefined {
  const compiled = compileExpression(String(text));
  if (!compiled.ok || readsZones({ expression: String(text) })) return undefined;
  const { expression } = compiled;
  const isOfPoint = [...expression.names].every((one) => OF_A_POINT.has(one));
  if (!isOfPoint || !expression.reads('sensor_data_value') || expression.windows.length > 0) return undefined;
  return {
    triggerId: Number(id),
    trigger: String(name),
    isPassed: (value, dateMs) => {
      const variables = { sensor_data_value: value, sensor_data_date: toUnixSeconds(dateMs), timezone };
      const result = expression.evaluate(variables, { labels });
      return result.ok && result.value;
    },
  };
}
