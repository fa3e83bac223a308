import type { RowDataPacket } from 'mysql2/promise';
import { comparedNumbers } from '../../language/compared-numbers';
import type { TriggerExpressions } from '../../language/windows/written-windows';
import { readLabels } from '../../storage/labels';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';
import { labelsOf } from '../rules/rule-labels';

export interface Threshold {
  /** Empty for the value itself. */
  field: string;
  value: number;
  /** True for a number that ends an alert. */
  isEnd: boolean;
}

/** The different numbers of active triggers, by sensor id. */
export async function readThresholds(
  reads: Reader,
  ownerId: number,
  sensorIds: readonly number[],
): Promise<Map<number, Threshold[]>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT st.sensor_id AS sensorId, t.expression, t.resolve_expression AS resolveExpression
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
     WHERE st.sensor_id IN (?) AND t.owner_id = ? AND st.active ORDER BY t.id`,
    [sensorIds, ownerId],
  );
  const labelled = await readLabels(
    runOn(reads),
    sensorIds,
    rows.flatMap((row) => labelsOf(row as TriggerExpressions)),
  );
  const found = new Map<number, Map<string, Threshold>>();
  for (const { sensorId, expression, resolveExpression } of rows) {
    const known = found.get(Number(sensorId)) ?? new Map<string, Threshold>();
    found.set(Number(sensorId), known);
    const labels = { sensorName: '', values: labelled.get(Number(sensorId)) ?? new Map() };
    for (const [text, isEnd] of [[expression, false] as const, [resolveExpression, true] as const]) {
      for (const { field, value } of text === null ? [] : comparedNumbers(String(text), labels)) {
        known.set(`${field} ${value} ${isEnd}`, { field, value, isEnd });
      }
    }
  }
  return new Map([...found].map(([id, thresholds]) => [id, [...thresholds.values()]]));
}
