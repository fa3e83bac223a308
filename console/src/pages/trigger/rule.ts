import { ApiError, api, ask, type Records } from '../../api';
import type { Range } from '../../chart/load';

export type Backtest = Records['BacktestView'];

/** The edited trigger: numbers as typed texts. */
export interface Rule {
  name: string;
  expression: string;
  /** Seconds. */
  inactivity: string;
  /** Seconds. */
  hold: string;
  repeat: Repeat;
  notifyResolved: boolean;
  resolvedText: string;
}

/** Repetition in an episode: every minute by default, never, or after a number of seconds. */
export type Repeat = '' | '0' | '300' | '3600' | '86400';

export const NO_RULE: Rule = {
  name: '',
  expression: '',
  inactivity: '',
  hold: '',
  repeat: '0',
  notifyResolved: false,
  resolvedText: '',
};

/** Converts a stored trigger for editing. */
export function ruleOf(trigger: Records['TriggerView']): Rule {
  return {
    name: trigger.name,
    expression: trigger.expression ?? '',
    inactivity: trigger.inactivity === null ? '' : String(trigger.inactivity),
    hold: trigger.hold === 0 ? '' : String(trigger.hold),
    repeat: (trigger.repeat === null ? '' : String(trigger.repeat)) as Repeat, // other numbers are shown unchanged
    notifyResolved: trigger.notify_resolved,
    resolvedText: trigger.resolved_text ?? '',
  };
}

/** The part that decides when it fires; undefined if there is none yet. */
export function bodyOf({ expression, inactivity }: Rule): { expression?: string; inactivity?: number } | undefined {
  const body = {
    ...(expression.trim() && { expression }),
    ...(inactivity && { inactivity: Number(inactivity) }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

/** The life cycle of its alerts, in the API's form. */
export function cycleOf({ hold, repeat, notifyResolved, resolvedText }: Rule) {
  return {
    hold: Math.round(Number(hold) || 0),
    repeat: repeat === '' ? null : Number(repeat),
    notify_resolved: notifyResolved,
    resolved_text: resolvedText || null,
  };
}

/** The error of an expression, with its position in characters. */
export interface Mistake {
  text: string;
  position: number | undefined;
}

export function mistakeOf(error: unknown): Mistake | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const why = Object.entries(error.fields).find(([path]) => path.endsWith('expression'))?.[1] ?? error.message;
  const position = /at position (\d+)/.exec(why)?.[1];
  const text = why.replace(/ at position \d+/, '').replace(/^cannot be used: /, '');
  return { text, position: position === undefined ? undefined : Number(position) };
}

const BUSY_MS = 700;
const TRIES = 6;

/** The backtest of the rule. One backtest of a user runs at a time, so it may have to wait for another. */
export async function backtest(
  rule: Rule,
  ids: readonly string[],
  range: Range,
  signal: AbortSignal,
): Promise<Backtest> {
  const { hold, repeat } = cycleOf(rule);
  const trigger = { ...bodyOf(rule), hold, ...(repeat !== null && { repeat }) };
  const body = { trigger, sensor_ids: [...ids], start_date: range.from, end_date: range.to };
  for (let tries = 1; ; tries += 1) {
    try {
      return (await ask(api.post('/triggers/backtest', { body, signal }))).backtest;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
    signal.throwIfAborted();
  }
}
