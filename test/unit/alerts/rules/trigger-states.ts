import { NO_EPISODES, type TriggerState } from '../../../../src/alerts/rules/trigger-state';

/** The state of a new connection. */
export function buildState(overrides: Partial<TriggerState> = {}): TriggerState {
  return {
    active: true,
    lastTriggeredMs: 0,
    timesTriggered: 0,
    lastValue: null,
    lastDateMs: null,
    lastError: null,
    inactiveSinceMs: null,
    dueAtMs: null,
    ...NO_EPISODES,
    ...overrides,
  };
}
