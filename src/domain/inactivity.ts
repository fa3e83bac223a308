import {
  type FiringVariables,
  fired,
  firingVariables,
  isWithinTheMinute,
  MINUTE_MS,
  type TriggerState,
} from './trigger-state';

/** A span in which no process of the platform accepted data. */
export interface Outage {
  fromMs: number;
  toMs: number;
}

export interface InactivityContext {
  nowMs: number;
  /** The latest moment at which the platform provably accepted data (its last heartbeat). */
  availableUntilMs: number;
  outages: readonly Outage[];
}

export type InactivityDecision =
  | { fire: true; reason: 'inactive-sensor'; variables: FiringVariables }
  | { fire: false; reason: 'not-due' | 'once-a-minute' | 'inactive' };

/** The moment at which the inactivity has lasted the whole period, counting only time in which data could have arrived. */
export function dueAt(inactiveSinceMs: number, inactivitySeconds: number, outages: readonly Outage[]): number {
  let reached = inactiveSinceMs;
  let missingMs = inactivitySeconds * 1000;
  const inOrder = outages.filter(({ toMs }) => toMs > inactiveSinceMs).sort((a, b) => a.fromMs - b.fromMs);
  for (const { fromMs, toMs } of inOrder) {
    const availableMs = Math.max(0, fromMs - reached);
    if (availableMs >= missingMs) break;
    missingMs -= availableMs;
    reached = Math.max(reached, toMs);
  }
  return reached + missingMs;
}

/**
 * Whether the inactivity makes the trigger go off now. After a firing the next period begins where this one was due, so
 * periods do not drift; after a stop that outlasted the next period as well it begins now, so that nothing is caught up.
 * A trigger that is not active waits for nothing: its due time is taken away until it is armed again.
 */
export function decideOnInactivityDue(
  rule: { inactivity: number },
  state: TriggerState,
  { nowMs, availableUntilMs, outages }: InactivityContext,
): { decision: InactivityDecision; state: TriggerState } {
  if (!state.active) return { decision: { fire: false, reason: 'inactive' }, state: redue(state, null) };
  if (state.inactiveSinceMs === null) {
    return { decision: { fire: false, reason: 'not-due' }, state: armed(rule.inactivity, state, nowMs, outages) };
  }
  const due = dueAt(state.inactiveSinceMs, rule.inactivity, outages);
  if (due > Math.min(nowMs, availableUntilMs)) {
    return { decision: { fire: false, reason: 'not-due' }, state: redue(state, due) };
  }
  if (isWithinTheMinute(state, nowMs)) {
    const minuteEnds = state.lastTriggeredMs + MINUTE_MS;
    return { decision: { fire: false, reason: 'once-a-minute' }, state: redue(state, minuteEnds) };
  }
  const variables = firingVariables(state, null, nowMs);
  const nextFrom = dueAt(due, rule.inactivity, outages) > nowMs ? due : nowMs;
  return {
    decision: { fire: true, reason: 'inactive-sensor', variables },
    state: armed(rule.inactivity, fired(state, nowMs), nextFrom, outages),
  };
}

/** Data has been received: the inactivity, if the trigger watches it, starts again. An earlier arrival changes nothing. */
export function onArrival(
  rule: { inactivity: number | null },
  state: TriggerState,
  receivedAtMs: number,
  outages: readonly Outage[],
): TriggerState {
  if (!state.active || rule.inactivity === null) return state;
  if (state.inactiveSinceMs !== null && receivedAtMs <= state.inactiveSinceMs) return state;
  return armed(rule.inactivity, state, receivedAtMs, outages);
}

function armed(inactivity: number, state: TriggerState, fromMs: number, outages: readonly Outage[]): TriggerState {
  return { ...state, inactiveSinceMs: fromMs, dueAtMs: dueAt(fromMs, inactivity, outages) };
}

function redue(state: TriggerState, dueAtMs: number | null): TriggerState {
  return state.dueAtMs === dueAtMs ? state : { ...state, dueAtMs };
}
