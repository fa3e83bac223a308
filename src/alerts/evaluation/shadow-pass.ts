import type { PoolConnection } from 'mysql2/promise';
import type { RetentionDays } from '../../platform/retention';
import type { WaitingPoint } from '../../points';
import { keepsLastPlace } from '../rules/rule-zones';
import type { SensorState, SensorTriggerEntry, ShadowEntry, ShadowedSensor, StateChange } from '../rules/sensor-state';
import { decodeShadow, encodeShadow, followLive, shadowAtStart, shadowDueMs } from '../rules/shadow';
import { ruleOf } from '../rules/trigger-rule';
import type { TriggerState } from '../rules/trigger-state';
import type { ShadowResult } from '../trigger-store/shadow-results';
import type { WindowCache } from '../trigger-store/window-cache';
import { SensorActor } from './actors/sensor.actor';
import type { SensorMessageContext } from './actors/sensor.messages';
import type { PassClock } from './pass-clock';
import { handlePoints } from './pass-points';
import { PassWindows } from './pass-windows';

/** A sensor on which the live triggers have decided. */
export interface LiveResult {
  state: SensorState;
  changes: { states: readonly StateChange[] };
}

interface ShadowSetting {
  connection: PoolConnection;
  passClock: PassClock;
  cache: WindowCache;
  retentionDays: RetentionDays;
  pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>;
  due: ReadonlySet<number>;
  context: Omit<SensorMessageContext, 'windows'>;
}

/** A shadow in a pass: the entry that its actor decides on, and what was known of it. */
interface Trial {
  shadow: ShadowEntry;
  live: SensorTriggerEntry;
  entry: SensorTriggerEntry;
  untried: number;
  /** Episodes that a person has ended live. */
  ends: ReturnType<typeof followLive>['ends'];
}

interface TriedSensor {
  live: LiveResult;
  shadows: ShadowedSensor;
  trials: readonly Trial[];
  ownerId: number | undefined;
}

/**
 * Tries shadows on the points of a pass, with the code of the live triggers, after all of these have decided. Without
 * time left, points are left out and counted.
 */
export async function tryShadows(results: readonly LiveResult[], setting: ShadowSetting): Promise<ShadowResult[]> {
  if (!results.some(hasShadows)) return [];
  const sensors = results.flatMap((live) => (live.state.shadows ? prepare(live, live.state.shadows, setting) : []));
  const { pointsOf, passClock } = setting;
  const order = sensors.map(({ shadows, ownerId }) => [shadows, ownerId] as const);
  const { nowMs, unevaluated } = setting.context;
  const windows = new PassWindows(order, pointsOf, { ...setting, nowMs, unevaluated, isShadow: true });
  const tried: ShadowResult[] = [];
  for (const sensor of sensors) {
    const isLeftOut = () => passClock.isFull || (sensor.ownerId !== undefined && passClock.isCut(sensor.ownerId));
    tried.push(isLeftOut() ? leaveOut(sensor, setting) : await tryOn(sensor, windows, setting, isLeftOut));
  }
  windows.keepUnhandled();
  return tried;
}

function hasShadows({ state }: LiveResult): boolean {
  return state.shadows !== undefined;
}

function prepare(live: LiveResult, shadows: ShadowedSensor, { context, pointsOf }: ShadowSetting): TriedSensor[] {
  const { nowMs, outages } = context;
  const trials = shadows.entries.flatMap((shadow): Trial[] => {
    const trigger = live.state.triggers.find(({ sensorTriggerId }) => sensorTriggerId === shadow.sensorTriggerId);
    if (!trigger || nowMs >= shadow.untilMs) return [];
    const { rule, memory } = shadow;
    const known = { state: trigger.state, version: trigger.triggerVersion };
    const rules = { before: ruleOf(trigger), after: rule };
    const kept = memory === null ? shadowAtStart(known, rules, { nowMs, outages }) : decodeShadow(memory);
    const { state, ends } = followLive(kept, known, rule, nowMs);
    const entry = { ...trigger, ...rule, state };
    return [{ shadow, live: trigger, entry, untried: kept.untried, ends }];
  });
  shadows.triggers = trials.map(({ entry }) => entry);
  const ownerId = pointsOf.get(shadows.sensor.id)?.[0]?.ownerId;
  return trials.length === 0 ? [] : [{ live, shadows, trials, ownerId }];
}

async function tryOn(
  sensor: TriedSensor,
  windows: PassWindows,
  setting: ShadowSetting,
  isLeftOut: () => boolean,
): Promise<ShadowResult> {
  const { shadows } = sensor;
  const { context, passClock, pointsOf, due } = setting;
  const { id } = shadows.sensor;
  const actor = new SensorActor(shadows);
  const reader = await windows.take(shadows);
  const handling = handlePoints(actor, pointsOf.get(id), context, passClock, reader);
  for (const read of handling) await (read ?? passClock.yield());
  if (isLeftOut() && pointsOf.has(id)) return leaveOut(sensor, setting);
  // Only together with the live triggers: both are due by the same list.
  if (due.has(id)) actor.handle({ kind: 'due' }, context);
  return resultOf(sensor, actor);
}

/** The points are not evaluated. Their arrival still ends an inactivity. */
function leaveOut(sensor: TriedSensor, { context, pointsOf }: ShadowSetting): ShadowResult {
  const points = pointsOf.get(sensor.shadows.sensor.id) ?? [];
  const actor = new SensorActor(sensor.shadows);
  actor.handle({ kind: 'arrivals', of: points }, context);
  return resultOf(sensor, actor, points.length);
}

function resultOf({ live, shadows, trials }: TriedSensor, actor: SensorActor, leftOut = 0): ShadowResult {
  const changes = actor.changes();
  const states = trials.flatMap(({ shadow, live: trigger, entry, untried }) => {
    const state = after(changes.states, entry);
    const present = { state: after(live.changes.states, trigger), version: trigger.triggerVersion };
    const hasOwnLast = keepsLastPlace(entry) !== keepsLastPlace(trigger);
    const memory = encodeShadow(state, present, untried + leftOut, hasOwnLast);
    return memory === shadow.memory ? [] : [{ entry: shadow, memory, dueMs: shadowDueMs(state) }];
  });
  const firings = trials.flatMap(({ shadow: { shadowId, sensorTriggerId } }) =>
    changes.firings.flatMap((firing) => (firing.sensorTriggerId === sensorTriggerId ? [{ shadowId, firing }] : [])),
  );
  const ends = trials.flatMap(({ shadow: { shadowId, sensorTriggerId }, ends: followed }) => {
    const own = changes.ends.filter((end) => end.sensorTriggerId === sensorTriggerId);
    const decided = own.map(({ cause, episode: { beganMs } }) => ({ cause, beganMs }));
    return [...followed, ...decided].map((end) => ({ ...end, shadowId, sensorTriggerId }));
  });
  shadows.triggers = [];
  return { sensorId: shadows.sensor.id, states, firings, ends };
}

function after(changes: readonly StateChange[], { sensorTriggerId, state }: SensorTriggerEntry): TriggerState {
  return changes.find((change) => change.sensorTriggerId === sensorTriggerId)?.state ?? state;
}
