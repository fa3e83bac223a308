import { ApiError, api, ask, type Records } from '../../api';
import type { Range } from '../../chart/load';
import { TIME_ZONE } from '../../format';
import { t } from '../../language';
import type { Condition } from './built-rule';
import type { Recipient } from './escalation';
import { type Follows, followsOf } from './selector';

export type Backtest = Records['BacktestView'] & Pick<Records['BacktestResponse'], 'warning'>;

/** The edited trigger: numbers as typed texts. */
export interface Rule extends Condition {
  name: string;
  repeat: Repeat;
  severity: Severity;
  /** The zone of the functions of time in its expressions. */
  timezone: string;
  notifyResolved: boolean;
  resolvedText: string;
  /** True if it reports what late values would have caused. */
  reportsLate: boolean;
  /** The sensors that it follows by their metatags. */
  follows: Follows<Records['SensorProperty']>;
  /** The other trigger: while it has an open alert, alerts of this rule are held. */
  dependsOn: Records['DependencyView'] | null;
  /** The group that sees its alerts; empty for none. */
  group: string;
}

/** Repetition in an episode: every minute by default, never, or after a number of seconds. */
export type Repeat = '' | '0' | '300' | '3600' | '86400';

export type Severity = Records['TriggerView']['severity'];

export const NO_RULE: Rule = {
  name: '',
  expression: '',
  inactivity: '',
  hold: '',
  resolveExpression: '',
  keepFiringFor: '',
  repeat: '0',
  severity: 'warning',
  timezone: TIME_ZONE,
  notifyResolved: false,
  resolvedText: '',
  reportsLate: false,
  follows: followsOf(null),
  dependsOn: null,
  group: '',
};

/** Converts a stored trigger for editing. */
export function ruleOf(trigger: Records['VersionedTriggerView'] & { group_id?: string | null }): Rule {
  return {
    ...decisionOf(trigger),
    name: trigger.name,
    severity: trigger.severity,
    notifyResolved: trigger.notify_resolved,
    resolvedText: trigger.resolved_text ?? '',
    reportsLate: trigger.late === 'report',
    follows: followsOf(trigger.selector),
    dependsOn: trigger.depends_on,
    group: trigger.group_id ?? '',
  };
}

/** The deciding fields of a stored trigger or of its shadow, for editing. */
export function decisionOf(trigger: Records['RuleView']) {
  return {
    expression: trigger.expression ?? '',
    inactivity: textOf(trigger.inactivity),
    hold: textOf(trigger.hold),
    resolveExpression: trigger.resolve_expression ?? '',
    keepFiringFor: textOf(trigger.keep_firing_for),
    repeat: (trigger.repeat === null ? '' : String(trigger.repeat)) as Repeat, // other numbers are shown unchanged
    timezone: trigger.timezone,
  };
}

function textOf(seconds: number | null): string {
  return seconds ? String(seconds) : '';
}

/** The part that decides when it fires; undefined if there is none yet. */
export function bodyOf({ expression, inactivity }: Rule): { expression?: string; inactivity?: number } | undefined {
  const body = {
    ...(expression.trim() && { expression }),
    ...(inactivity && { inactivity: Number(inactivity) }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

/** True if its expressions read the clock, so that its time zone matters. */
export function readsClock({ expression, resolveExpression }: Condition): boolean {
  return /\b(hour|minute|day_of_week|day_of_month|month)\s*\(/.test(`${expression}\n${resolveExpression}`);
}

/** When its episodes begin, repeat and end, in the API's form. */
function episodesOf(rule: Rule) {
  const { hold, repeat, resolveExpression, keepFiringFor } = rule;
  return {
    ...(readsClock(rule) && { timezone: rule.timezone }),
    hold: Math.round(Number(hold) || 0),
    repeat: repeat === '' ? null : Number(repeat),
    resolve_expression: resolveExpression.trim() ? resolveExpression : null,
    keep_firing_for: Math.round(Number(keepFiringFor) || 0),
    notify_resolved: rule.notifyResolved,
  };
}

/** All that decides when it fires and when messages go out, in the API's form. */
export function decidingOf(rule: Rule) {
  return { ...bodyOf(rule), ...episodesOf(rule) };
}

/** The life cycle of its alerts, in the API's form. */
export function cycleOf(rule: Rule) {
  return {
    ...episodesOf(rule),
    severity: rule.severity,
    resolved_text: rule.resolvedText || null,
    late: rule.reportsLate ? ('report' as const) : ('ignore' as const),
    depends_on: rule.dependsOn,
  };
}

/** The error of an expression, with its position in characters. */
export interface Mistake {
  field: 'expression' | 'resolve_expression';
  text: string;
  position: number | undefined;
}

/** In the languages of the platform. */
const POSITION = / (?:at position|an Position) (\d+)/;

export function mistakeOf(error: unknown): Mistake | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const [path = '', why = error.message] =
    Object.entries(error.fields).find(([one]) => one.endsWith('expression')) ?? [];
  const position = POSITION.exec(why)?.[1];
  const text = why.replace(POSITION, '').replace(t('cannot be used: '), '');
  const field = path.endsWith('resolve_expression') ? 'resolve_expression' : 'expression';
  return { field, text, position: position === undefined ? undefined : Number(position) };
}

const BUSY_MS = 700;
const TRIES = 20;

/** The backtest of the rule. */
export async function backtest(
  rule: Rule,
  ids: readonly string[],
  range: Range,
  signal: AbortSignal,
  notifications: Recipient[] = [],
): Promise<Backtest> {
  const dependency = rule.dependsOn && { depends_on: rule.dependsOn };
  const trigger = { name: rule.name, ...decidingOf(rule), ...dependency };
  const body = { trigger, sensor_ids: [...ids], start_date: range.from, end_date: range.to, notifications };
  return whenFree(() => api.post('/triggers/backtest', { body, signal }), signal);
}

/** One backtest of a user runs at a time, so it may have to wait for another. */
export async function whenFree(
  start: () => Promise<Records['BacktestResponse']>,
  signal: AbortSignal,
  tries = TRIES,
): Promise<Backtest> {
  try {
    const { backtest: found, warning } = await ask(start());
    return { ...found, warning };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429 || tries === 1) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
  signal.throwIfAborted();
  return whenFree(start, signal, tries - 1);
}
