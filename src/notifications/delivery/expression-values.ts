import type { CompiledWindow, Surroundings } from '../../language/compiled-expression';
import { compileExpression, TRIGGER_VARIABLES } from '../../language/expression';
import { TIME_FUNCTIONS, timeAt } from '../../language/expression-time';
import { tokensOf } from '../../language/expression-tokens';
import { labelsAsUsed } from '../../language/labels';
import { type ExpressionValue, partOf, readValue, type WrittenPart } from '../../language/sensor-value';
import { type CallResults, callsIn, resultOf } from '../../language/windows/window-results';
import type { FiringVariables } from './firing-variables';

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const PART = `\\s*\\.\\s*\\w+|\\s*\\[\\s*(?:${TEXT}|\\d+)\\s*\\]`;
const VARIABLE = `((${TRIGGER_VARIABLES.join('|')})\\b(?:${PART})*)`;
const TIME = `(${TIME_FUNCTIONS.join('|')})\\s*\\(\\s*\\)`;
const SHOWN = new RegExp(`${TEXT}|\\b(?:${VARIABLE}|${TIME})`, 'gs');
const VALUES: ReadonlySet<string> = new Set(['sensor_data_value', 'last_sensor_data_value']);
const MAX_SHOWN = 60;

export interface Reading {
  dataType: string;
  timezone: string;
  windows?: CallResults | undefined;
}

/**
 * Shows values instead of names, for example `31.2 > 30`. Null if it is not true for them: a changed expression does
 * not explain the firing.
 */
export function withValues(
  expression: string,
  variables: FiringVariables,
  { dataType, timezone, windows = {} }: Reading,
): string | null {
  const compiled = compileExpression(expression);
  if (!compiled.ok) return null;
  const read = readVariables(variables, dataType);
  const times_triggered = variables.times_triggered - 1; // a firing counts itself
  const before: Record<string, ExpressionValue> = { ...read, times_triggered, timezone };
  const windowResults = (window: CompiledWindow) => resultOf(window, windows);
  const surroundings = { windowResults, labels: labelsAsUsed('', variables.labels) };
  const result = compiled.expression.evaluate(before, surroundings);
  if (!result.ok || !result.value) return null;
  const date = variables.sensor_data_date;
  const withoutNames = (text: string) =>
    text.replace(SHOWN, (whole: string, variable?: string, name?: string, time?: string) => {
      if (time !== undefined && date !== null) return shown(timeAt(time, date, timezone));
      if (variable === undefined || name === undefined) return whole; // a text constant
      const value = valueAt(before[name], tokensOf(variable)[0]?.path ?? []);
      return value === undefined || value === null ? whole : shown(value);
    });
  return withResults(expression, surroundings, withoutNames);
}

/** Applies `between` to the texts between the calls. */
function withResults(expression: string, surroundings: Surroundings, between: (text: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of callsIn(expression)) {
    const call = expression.slice(start, end);
    const compiled = compileExpression(call);
    const result = compiled.ok ? compiled.expression.evaluateToValue({}, surroundings) : compiled;
    parts.push(between(expression.slice(from, start)), result.ok ? shown(result.value) : call);
    from = end;
  }
  return [...parts, between(expression.slice(from))].join('');
}

function readVariables(
  { labels: _, ...variables }: FiringVariables,
  dataType: string,
): Record<string, ExpressionValue> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      VALUES.has(name) && typeof value === 'string' ? readValue(value, dataType) : value,
    ]),
  );
}

function valueAt(value: ExpressionValue | undefined, path: readonly WrittenPart[]): ExpressionValue | undefined {
  return path.reduce(partOf, value);
}

function shown(value: ExpressionValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
