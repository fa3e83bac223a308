import { WINDOW_FUNCTIONS } from '../../language/windows/window-call';
import {
  hasManyX,
  MAX_DIFFERENT_X,
  TOO_MANY_X,
  type TriggerExpressions,
  windowsOf,
} from '../../language/windows/written-windows';
import { Conflict, InvalidInput } from '../../platform/errors';
import { paced } from '../../platform/paced';
import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';

/** So many sensors have 2,000 triggers at most. */
const SENSORS_AT_ONCE = 20;

type Added = TriggerExpressions & { id: number };

/** Throws InvalidInput for more different `x` than a sensor may have. */
export function requireFewX(expressions: TriggerExpressions, of = 'trigger'): void {
  if (hasManyX(windowsOf(expressions))) throw InvalidInput.field(`${of}.expression`, TOO_MANY_X);
}

/** Throws Conflict if the sensor's windows would use too many different `x`. */
export async function requireFewXOn(run: RunSql, sensorId: number, added: readonly Added[]): Promise<void> {
  const [full] = await findFull(run, [sensorId], added);
  if (full !== undefined) throw tooMany('this sensor');
}

/** Throws Conflict if a sensor of the trigger would use too many different `x`. */
export async function requireFewXOfSensors(run: RunSql, trigger: Added): Promise<void> {
  requireFewX(trigger);
  if (windowsOf(trigger).length === 0) return;
  const rows = await run('SELECT sensor_id AS id FROM sensor_triggers WHERE trigger_id = ? ORDER BY sensor_id', [
    trigger.id,
  ]);
  const ids = rows.map(({ id }) => Number(id));
  const [full] = await findFull(run, ids, [trigger]);
  if (full !== undefined) throw tooMany(`the sensor ${full}`);
}

/** Finds sensors whose windows would use too many different `x`. */
export async function findFull(
  run: RunSql,
  sensorIds: readonly number[],
  added: readonly Added[],
): Promise<readonly number[]> {
  const own = keysOf(added);
  if (own.size === 0) return [];
  const full: number[] = [];
  const addedIds = added.map(({ id }) => id);
  for (const part of partsOf(sensorIds, SENSORS_AT_ONCE)) {
    const others = await keysOfSensors(run, part, addedIds);
    full.push(...part.filter((id) => new Set([...own, ...(others.get(id) ?? [])]).size > MAX_DIFFERENT_X));
  }
  return full;
}

async function keysOfSensors(
  run: RunSql,
  sensorIds: readonly number[],
  withoutIds: readonly number[],
): Promise<Map<number, Set<string>>> {
  const rows = await run(
    `SELECT st.sensor_id AS sensorId, t.expression, t.resolve_expression AS resolveExpression
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
     WHERE st.sensor_id IN (?) AND t.id NOT IN (?) AND CONCAT_WS(' ', t.expression, t.resolve_expression) REGEXP ?`,
    [sensorIds, withoutIds, WINDOW_FUNCTIONS.join('|')],
  );
  const keys = new Map<number, Set<string>>();
  for await (const { sensorId, expression, resolveExpression } of paced(rows)) {
    const known = keys.get(Number(sensorId)) ?? new Set();
    const texts = { expression: textOf(expression), resolveExpression: textOf(resolveExpression) };
    for (const key of keysOf([texts])) known.add(key);
    keys.set(Number(sensorId), known);
  }
  return keys;
}

function keysOf(triggers: readonly TriggerExpressions[]): Set<string> {
  return new Set(triggers.flatMap(windowsOf).map(({ key }) => key));
}

function textOf(column: unknown): string | null {
  return typeof column === 'string' ? column : null;
}

function tooMany(sensor: string): Conflict {
  const why = `the windows of a sensor use at most ${MAX_DIFFERENT_X} different "x" over all its triggers`;
  return new Conflict(`${sensor} would exceed a limit: ${why}`);
}
