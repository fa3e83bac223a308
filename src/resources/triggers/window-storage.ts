import { Conflict, InvalidInput } from '../../platform/errors';
import { effectiveRetention, type RetentionDays } from '../../rules/retention';
import { whyNotKept } from '../../rules/windows/window-storage';
import { longestWindow, type TriggerExpressions } from '../../rules/windows/written-windows';
import type { Sensor } from '../../storage/models/sensor.model';
import type { Trigger } from '../../storage/models/trigger.model';
import type { RunSql } from '../../storage/transaction';

type Storage = Pick<Sensor, 'useDataStorage' | 'retentionDays'>;

/** For how many days a sensor keeps its points: 0 if it stores none, null if all. */
export function keptDays({ useDataStorage, retentionDays }: Storage, platformDays: RetentionDays): RetentionDays {
  return useDataStorage ? effectiveRetention(retentionDays, platformDays) : 0;
}

/** Conflict if the sensor keeps less than a window of one of the triggers. */
export function requireKeptBy(sensor: Storage, triggers: readonly Trigger[], platformDays: RetentionDays): void {
  for (const trigger of triggers) {
    const why = whyNotKept(longestWindow(trigger), keptDays(sensor, platformDays));
    if (why) throw new Conflict(`the trigger ${trigger.id} cannot be evaluated on this sensor: ${why}`);
  }
}

/**
 * InvalidInput if the platform, or one of the sensors that the trigger is connected to, keeps less than a window of its
 * expressions. Without `trigger` only the platform is checked.
 */
export async function requireKept(
  { expression, resolveExpression }: TriggerExpressions,
  platformDays: RetentionDays,
  trigger?: { id: number; run: RunSql },
): Promise<void> {
  await requireKeptAs('expression', longestWindow({ expression }), platformDays, trigger);
  await requireKeptAs(
    'resolve_expression',
    longestWindow({ expression: resolveExpression ?? null }),
    platformDays,
    trigger,
  );
}

async function requireKeptAs(
  field: string,
  seconds: number,
  platformDays: RetentionDays,
  trigger?: { id: number; run: RunSql },
): Promise<void> {
  if (seconds === 0) return;
  const why = whyNotKept(seconds, platformDays);
  if (why) throw InvalidInput.field(`trigger.${field}`, `cannot be evaluated on any sensor: ${why}`);
  if (!trigger) return;
  const [row] = await trigger.run(
    `SELECT s.id, s.use_data_storage AS useDataStorage, s.retention_days AS retentionDays
     FROM sensor_triggers st JOIN sensors s ON s.id = st.sensor_id
     WHERE st.trigger_id = ? AND (NOT s.use_data_storage OR s.retention_days * 86400 < ?) ORDER BY s.id LIMIT 1`,
    [trigger.id, seconds],
  );
  if (!row) return;
  const retentionDays = row.retentionDays === null ? null : Number(row.retentionDays);
  const storage = { useDataStorage: Boolean(row.useDataStorage), retentionDays };
  const whyThere = whyNotKept(seconds, keptDays(storage, platformDays));
  throw InvalidInput.field(`trigger.${field}`, `cannot be evaluated on the sensor ${row.id}: ${whyThere}`);
}
