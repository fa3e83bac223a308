import { compileExpression, TRIGGER_VARIABLES } from './expression';
import { type Operand, operandOf, Structure } from './expression-comparison';
import { tokensOf } from './expression-tokens';
import { type ExpressionValue, fieldOf, readValue, type WrittenField } from './sensor-value';
import type { FiringVariables } from './trigger-state';

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const FIELD = `\\s*\\.\\s*\\w+|\\s*\\[\\s*${TEXT}\\s*\\]`;
const VARIABLE = new RegExp(`${TEXT}|\\b((${TRIGGER_VARIABLES.join('|')})\\b(?:${FIELD})*)`, 'gs');
const VALUES: ReadonlySet<string> = new Set(['sensor_data_value', 'last_sensor_data_value']);
const MAX_SHOWN = 60;

/**
 * An expression with its variables replaced by their values at a firing, for example `31.2 > 30`. Null if the
 * expression is not true for these values: it was changed since, and does not explain the firing.
 */
export function withValues(expression: string, variables: FiringVariables, dataType: string): string | null {
  const compiled = compileExpression(expression);
  if (!compiled.ok) return null;
  const read = readVariables(variables, dataType);
  const before: Record<string, ExpressionValue> = { ...read, times_triggered: variables.times_triggered - 1 }; // a firing counts itself
  const result = compiled.expression.evaluate(before);
  if (!result.ok || !result.value) return null;
  return expression.replace(VARIABLE, (whole: string, variable: string | undefined, name: string | undefined) => {
    if (variable === undefined || name === undefined) return whole; // a text constant
    const value = valueAt(before[name], tokensOf(variable)[0]?.path ?? []);
    return value === undefined || value === null ? whole : shown(value);
  });
}

function readVariables(variables: FiringVariables, dataType: string): Record<string, ExpressionValue> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      VALUES.has(name) && typeof value === 'string' ? readValue(value, dataType) : value,
    ]),
  );
}

function valueAt(value: ExpressionValue | undefined, path: readonly WrittenField[]): ExpressionValue | undefined {
  let reached = value;
  for (const field of path) {
    const operand: Operand = operandOf(reached);
    reached = operand instanceof Structure ? fieldOf(operand.fields, field) : undefined;
  }
  return reached;
}

function shown(value: ExpressionValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
