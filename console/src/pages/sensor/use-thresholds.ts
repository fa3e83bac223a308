import { useMemo } from 'preact/hooks';
import type { Threshold } from '../../chart/marks';
import { useResource } from '../../use-resource';
import { loadLabels } from './labels';
import { type Rule, thresholdsOf } from './thresholds';

/** The thresholds of a sensor, once its labels are known if a rule names one. */
export function useThresholds(sensorId: string, triggers: readonly Rule[]): Threshold[] {
  const hasLabels = triggers.some((rule) => `${rule.expression}${rule.resolve_expression}`.includes('label('));
  const { data: labels } = useResource(`labels ${hasLabels} ${sensorId}`, async (signal) =>
    hasLabels ? loadLabels(sensorId, signal) : {},
  );
  return useMemo(() => thresholdsOf(sensorId, triggers, labels), [sensorId, triggers, labels]);
}
