import { type SensorLabels, type UsedLabels, usedLabels } from '../../language/labels';
import { readValue } from '../../language/sensor-value';
import type { TriggerExpressions } from '../../language/windows/written-windows';
import { type SensorZones, Whereabouts } from '../../language/zones/sensor-zones';
import { mayHaveLastZone, mayHaveZones } from '../../language/zones/zone-functions';
import { labelsOf } from './rule-labels';

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

/** Whether the last value of the rule stays that of the last place, for `last_zone()`. */
export function keepsLastPlace({ expression, resolveExpression }: TriggerExpressions): boolean {
  return mayHaveLastZone(expression, resolveExpression);
}

/** What a rule reads of a sensor for a value. Undefined if it reads neither labels nor zones. */
export function factsOf(
  rule: TriggerExpressions,
  { dataType, labels: all, zones }: ReadSensor,
): ((value: string | null) => UsedFacts) | undefined {
  const labels = all && usedLabels(labelsOf(rule), all);
  const located = zones && readsZones(rule) ? zones : undefined;
  if (!labels && !located) return undefined;
  return (value) => {
    const here = located && value !== null ? new Whereabouts(readValue(value, dataType), located) : undefined;
    const zone = here?.zoneIfKnown;
    return { ...(labels && { labels }), ...(zone !== undefined && { zone }) };
  };
}
