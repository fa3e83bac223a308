import type { LabelValue, SensorLabels } from '../../language/labels';
import { readLabels } from '../../storage/labels';
import type { Sensor } from '../../storage/models/sensor.model';
import type { RunSql } from '../../storage/transaction';
import { labelsOf } from '../rules/rule-labels';
import type { TriggerRule } from '../rules/trigger-rule';

/** As they are given, or as they are now. Empty if the rule names none. */
export async function labelsOfSensors(
  run: RunSql,
  { sensors, labels: given }: { sensors: readonly Sensor[]; labels?: ReadonlyMap<string, LabelValue> | undefined },
  rule: TriggerRule,
): Promise<Map<number, SensorLabels>> {
  const calls = labelsOf(rule);
  if (calls.length === 0) return new Map();
  const ids = sensors.map(({ id }) => id);
  const found = given ? undefined : await readLabels(run, ids, calls);
  const valuesOf = (id: number) => given ?? found?.get(id) ?? new Map();
  return new Map(sensors.map(({ id, name }) => [id, { sensorName: name, values: valuesOf(id) }]));
}
