import type { SensorLabels, UsedLabels } from '../../language/labels';
import { readValue } from '../../language/sensor-value';
import type { TriggerExpressions } from '../../language/windows/written-windows';
import { type SensorZones, Whereabouts } from '../../language/zones/sensor-zones';
import { mayHaveZones } from '../../language/zones/zone-functions';
import { labelsUsedBy } from './rule-labels';

/** What a rule read of a sensor for a value. */
export interface UsedFacts {
  labels?: UsedLabels;
  zone?: string;
}

interface ReadSensor {
  dataType: string;
  labels?: SensorLabels | undefined;
  zones?: SensorZones | undefined;
}

export function readsZones({ expression, resolveExpression }: TriggerExpressions): boolean {
  return mayHaveZones(expression, resolveExpression);
}

/** Undefined if the rule reads neither labels nor zones. */
export function usedBy(rule: TriggerExpressions, value: string | null, sensor: ReadSensor): UsedFacts | undefined {
  const labels = labelsUsedBy(rule, sensor.labels);
  const zone = zoneUsedBy(rule, value, sensor);
  return labels || zone !== undefined ? { ...(labels && { labels }), ...(zone !== undefined && { zone }) } : undefined;
}

/** Undefined for a value without a position. */
function zoneUsedBy(rule: TriggerExpressions, value: string | null, { dataType, zones }: ReadSensor) {
  if (!zones || value === null || !readsZones(rule)) return undefined;
  return new Whereabouts(readValue(value, dataType), zones).zoneIfKnown;
}
