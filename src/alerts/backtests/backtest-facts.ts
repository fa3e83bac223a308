import type { LabelValue, SensorLabels } from '../../language/labels';
import type { SensorZones } from '../../language/zones/sensor-zones';
import { readLabels } from '../../storage/labels';
import type { Sensor } from '../../storage/models/sensor.model';
import type { RunSql } from '../../storage/transaction';
import { labelsOf } from '../rules/rule-labels';
import { readsZones } from '../rules/rule-zones';
import type { TriggerRule } from '../rules/trigger-rule';
import { readZones } from '../trigger-store/owner-zones';

export type RequestedLabels = ReadonlyMap<string, LabelValue> | undefined;

export interface SensorFacts {
  labels?: SensorLabels | undefined;
  zones?: SensorZones | undefined;
}

export type LabelSource = 'given' | 'present';

/** Where the labels and zones of a rule come from; null if it reads none. */
export interface FactSources {
  labels: LabelSource | null;
  zones: 'present' | null;
}

/** The labels, given or present, and zones of sensors. Reads only what one of the rules reads. */
export async function readFacts(
  run: RunSql,
  userId: number,
  { sensors, labels: given }: { sensors: readonly Sensor[]; labels?: RequestedLabels },
  rules: readonly TriggerRule[],
): Promise<ReadonlyMap<number, SensorFacts>> {
  const ids = sensors.map(({ id }) => id);
  const calls = rules.flatMap(labelsOf);
  const found = given ? undefined : await readLabels(run, ids, calls);
  const zonesOf = rules.some(readsZones) ? await readZones(run, [userId], ids) : undefined;
  const labelsOn = ({ id, name }: Sensor) => ({ sensorName: name, values: given ?? found?.get(id) ?? new Map() });
  return new Map(
    sensors.map((sensor) => {
      const labels = calls.length > 0 ? labelsOn(sensor) : undefined;
      return [sensor.id, { labels, zones: zonesOf?.(userId, sensor.id) }];
    }),
  );
}

export function sourcesOf(rule: TriggerRule, given: RequestedLabels): FactSources {
  const from = given ? 'given' : 'present';
  return { labels: labelsOf(rule).length > 0 ? from : null, zones: readsZones(rule) ? 'present' : null };
}
