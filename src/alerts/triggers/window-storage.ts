import { whyNotKept } from '../../language/windows/window-storage';
import { longestWindow, type TriggerExpressions } from '../../language/windows/written-windows';
import { Conflict, InvalidInput } from '../../platform/errors';
import { keptDays, type PointStorage, type RetentionDays, storageOf } from '../../platform/retention';
import type { Trigger } from '../../storage/models/trigger.model';
import type { RunSql } from '../../storage/transaction';
import { requireFewX, requireFewXOfSensors } from './different-x';

/** Throws Conflict if the sensor keeps less than a window. */
export function requireKeptBy(sensor: PointStorage, triggers: readonly Trigger[], platformDays: RetentionDays): void {
  for (const trigger of triggers) {
    const why = whyNotKept(longestWindow(trigger), keptDays(sensor, platformDays));
    if (why) throw new Conflict(`the trigger ${trigger.id} cannot be evaluated on this sensor: ${why}`);
  }
}

/**
 * Throws InvalidInput for too many different `x`, or if the platform, or a sensor connected by hand, keeps less than a
 * window; without `trigger` only the platform is checked. A selector connects all matching sensors: evaluations on one
 * that keeps too little say so. Throws Conflict if a sensor would use too many different `x`.
 */
export async function requireUsableWindows(
  expressions: TriggerExpressions,
  platformDays: RetentionDays,
  trigger?: { id: number; run: RunSql },
  of = 'trigger',
): Promise<void> {
  requireFewX(expressions, of);
  const { expression, resolveExpression } = expressions;
  await requireKeptAs(`${of}.expression`, longestWindow({ expression }), platformDays, trigger);
  const longest = longestWindow({ expression: resolveExpression ?? null });
  await requireKeptAs(`${of}.resolve_expression`, longest, platformDays, trigger);
  if (trigger) await requireFewXOfSensors(trigger.run, { ...trigger, expression, resolveExpression });
}

async function requireKeptAs(
  field: string,
  seconds: number,
  platformDays: RetentionDays,
  trigger?: { id: number; run: RunSql },
): Promise<void> {
  if (seconds === 0) return;
  const why = whyNotKept(seconds, platformDays);
  if (why) throw InvalidInput.field(field, `cannot be evaluated on any sensor: ${why}`);
  if (!trigger) return;
  const [row] = await trigger.run(
    `SELECT s.id, s.use_data_storage AS stores, s.retention_days AS days
     FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id
     WHERE st.trigger_id = ? AND NOT st.by_selector AND (NOT s.use_data_storage OR s.retention_days * 86400 < ?)
     ORDER BY s.id LIMIT 1`,
    [trigger.id, seconds],
  );
  if (!row) return;
  const whyThere = whyNotKept(seconds, keptDays(storageOf(row.stores, row.days), platformDays));
  throw InvalidInput.field(field, `cannot be evaluated on the sensor ${row.id}: ${whyThere}`);
}
