import { ApiError, api, ask, type Records } from '../../api';
import type { Range } from '../../chart/load';

export type Backtest = Records['BacktestView'];

/** What a trigger says, as it is edited: numbers as texts, the way they are typed. */
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

/** When it reports again in an episode: each minute as ever, never, or after so many seconds. */
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

/** A trigger as it is edited. */
export function ruleOf(trigger: Records['TriggerView']): Rule {
  return {
    name: trigger.name,
    expression: trigger.expression ?? '',
    inactivity: trigger.inactivity === null ? '' : String(trigger.inactivity),
    hold: trigger.hold === 0 ? '' : String(trigger.hold),
    repeat: (trigger.repeat === null ? '' : String(trigger.repeat)) as Repeat, // other numbers are shown as they are
    notifyResolved: trigger.notify_resolved,
    resolvedText: trigger.resolved_text ?? '',
  };
}

/** The part that decides when it fires; undefined when there is none yet. */
export function bodyOf({ expression, inactivity }: Rule): { expression?: string; inactivity?: number } | undefined {
  const body = {
    ...(expression.trim() && { expression }),
    ...(inactivity && { inactivity: Number(inactivity) }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

/** The life cycle of its alerts, as the platform takes it. */
export function cycleOf({ hold, repeat, notifyResolved, resolvedText }: Rule) {
  return {
    hold: Math.round(Number(hold) || 0),
    repeat: repeat === '' ? null : Number(repeat),
    notify_resolved: notifyResolved,
    resolved_text: resolvedText || null,
  };
}

/** Why an expression is wrong, and where, counted in characters. */
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

/** What the rule would have done on stored data; one backtest of a user runs at a time, so it may have to wait for another. */
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
