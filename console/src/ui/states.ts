import { type PlainText, t } from '../language';

/**
 * The words of the states of sensors, rules and alerts, the most urgent first. Their signs and colours are in
 * `styles/states.css`. Pages show states by what stands here, and by nothing else.
 */
const WORDS = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
  inactive: 'no data',
  broken: 'cannot be evaluated',
  pending: 'pending',
  acknowledged: 'acknowledged',
  held: 'held',
  muted: 'muted',
  ok: 'ok',
  paused: 'paused',
  resolved: 'resolved',
  none: 'no trigger',
} satisfies Record<string, PlainText>;

export type StateName = keyof typeof WORDS;

export const STATES = Object.keys(WORDS) as readonly StateName[];

export function stateWord(name: StateName): string {
  return t(WORDS[name]);
}

/** The most urgent of some states; undefined if there are none. */
export function worstState(some: Iterable<StateName>): StateName | undefined {
  const found = new Set(some);
  return STATES.find((name) => found.has(name));
}

/** The state of a rule on a sensor. */
export function ruleState({ active, last_error, state, severity }: RuleOnSensor): StateName {
  if (!active) return 'paused';
  if (state === 'firing') return severity;
  return last_error === '' ? state : 'broken';
}

interface RuleOnSensor {
  active: boolean;
  last_error: string;
  state: 'ok' | 'pending' | 'firing';
  severity: 'critical' | 'warning' | 'info';
}

/** The state of a sensor, by its rules and its data; undefined with data and without active rules. */
export function sensorState(rules: readonly RuleOnSensor[], isInactive: boolean): StateName | undefined {
  const states = rules.filter(({ active }) => active).map(ruleState);
  return worstState(isInactive ? [...states, 'inactive'] : states);
}
