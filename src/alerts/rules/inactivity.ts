import { type FiringVariables, firingVariables } from '../../notifications';
import { type Episode, episodeAfterFiring, type Repeat, whyHeldBack } from './episode';
import { changed, fired, isWithinTheMinute, MINUTE_MS, type TriggerState } from './trigger-state';

/** No process of the platform accepted data. */
export interface Outage {
  fromMs: number;
  toMs: number;
}

export interface InactivityContext {
  nowMs: number;
  /** Last heartbeat: the platform provably accepted data. */
  availableUntilMs: number;
  outages: readonly Outage[];
  /** A muted firing is recorded and not delivered. */
  isMuted?: (nowMs: number) => boolean;
}

export type InactivityDecision =
  | { fire: true; reason: 'inactive-sensor' | 'muted'; variables: FiringVariables }
  | {
      fire: false;
      reason: 'not-due' | 'once-a-minute' | 'inactive' | 'held-back' | 'acknowledged' | 'resolved';
    };

export interface InactivityRule extends Repeat {
  /** Seconds. */
  inactivity: number;
}

/** Counts only time in which data could have arrived. */
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
 * The next period begins where this one was due, so periods do not drift; after an interruption that outlasted it, now.
 * In an open episode, a period lasts for `repeat`. An inactive trigger has no due time until it is armed again.
 */
export function decideOnInactivityDue(
  rule: InactivityRule,
  state: TriggerState,
  { nowMs, availableUntilMs, outages, isMuted }: InactivityContext,
): { decision: InactivityDecision; state: TriggerState } {
  const { active, inactiveSinceMs, inactivityEpisode: episode } = state;
  if (!active) return { decision: { fire: false, reason: 'inactive' }, state: redue(state, null) };
  const period = periodOf(rule, episode);
  if (inactiveSinceMs === null) {
    return { decision: { fire: false, reason: 'not-due' }, state: armed(period, state, nowMs, outages) };
  }
  const due = dueAt(inactiveSinceMs, period, outages);
  if (due > Math.min(nowMs, availableUntilMs)) {
    return { decision: { fire: false, reason: 'not-due' }, state: redue(state, due) };
  }
  const held = whyHeldBack({ repeat: rule.repeat === 0 ? 0 : null }, episode, nowMs);
  if (held) {
    const next = armed(period, state, nextFrom(due, period, nowMs, outages), outages);
    return { decision: { fire: false, reason: held }, state: next };
  }
  if (isWithinTheMinute(state, nowMs)) {
    const minuteEnds = state.lastTriggeredMs + MINUTE_MS;
    return { decision: { fire: false, reason: 'once-a-minute' }, state: redue(state, minuteEnds) };
  }
  const muted = isMuted?.(nowMs) ?? false;
  const inactivityEpisode = episodeAfterFiring(episode, nowMs, muted);
  const nextPeriod = periodOf(rule, inactivityEpisode);
  const after = changed(fired(state, nowMs), { inactivityEpisode }, nowMs);
  return {
    decision: {
      fire: true,
      reason: muted ? 'muted' : 'inactive-sensor',
      variables: firingVariables(state, null, nowMs),
    },
    state: armed(nextPeriod, after, nextFrom(due, nextPeriod, nowMs, outages), outages),
  };
}

/** Restarts the inactivity, and ends its episode, also one from the very ms on. An earlier arrival changes nothing. */
export function onArrival(
  rule: { inactivity: number | null },
  state: TriggerState,
  receivedAtMs: number,
  { nowMs, outages }: Pick<InactivityContext, 'nowMs' | 'outages'>,
): TriggerState {
  if (!state.active || rule.inactivity === null) return state;
  const { inactiveSinceMs, inactivityEpisode } = state;
  if (inactiveSinceMs !== null && receivedAtMs < inactiveSinceMs) return state;
  if (receivedAtMs === inactiveSinceMs && inactivityEpisode === null) return state;
  const ended = inactivityEpisode === null ? state : changed(state, { inactivityEpisode: null }, nowMs);
  return armed(rule.inactivity, ended, receivedAtMs, outages);
}

/** Seconds until the inactivity fires, or fires again. */
function periodOf({ inactivity, repeat }: InactivityRule, episode: Episode | null): number {
  return episode === null ? inactivity : repeat || inactivity;
}

function nextFrom(due: number, period: number, nowMs: number, outages: readonly Outage[]): number {
  return dueAt(due, period, outages) > nowMs ? due : nowMs;
}

function armed(period: number, state: TriggerState, fromMs: number, outages: readonly Outage[]): TriggerState {
  return { ...state, inactiveSinceMs: fromMs, dueAtMs: dueAt(fromMs, period, outages) };
}

function redue(state: TriggerState, dueAtMs: number | null): TriggerState {
  return state.dueAtMs === dueAtMs ? state : { ...state, dueAtMs };
}
