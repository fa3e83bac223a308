import type { SensorMessageContext } from '../../../../../src/alerts/evaluation/actors/sensor.messages';
import type { SensorTriggerEntry } from '../../../../../src/alerts/rules/sensor-state';
import type { TriggerState } from '../../../../../src/alerts/rules/trigger-state';
import type { ReceivedDataPoint } from '../../../../../src/points/data-points/data-point';
import { buildState } from '../../rules/trigger-states';

export const NOW = 1_795_229_544_000;
export const sensor = { id: 7, name: 'hall', dataType: 'float' };

export function buildTrigger(
  overrides: Partial<SensorTriggerEntry> = {},
  state: Partial<TriggerState> = {},
): SensorTriggerEntry {
  return {
    sensorTriggerId: 70,
    triggerId: 3,
    triggerName: 'too warm',
    triggerVersion: 1,
    ownerId: 1,
    expression: 'sensor_data_value > 20',
    inactivity: null,
    notifyResolved: false,
    mutedUntilMs: null,
    state: buildState(state),
    ...overrides,
  };
}

export function at(nowMs: number, overrides: Partial<SensorMessageContext> = {}): SensorMessageContext {
  return { nowMs, availableUntilMs: nowMs, outages: [], ...overrides };
}

export function point(value: string, dateMs: number, receivedMs = dateMs): ReceivedDataPoint {
  return { value, dateMs, receivedMs };
}
