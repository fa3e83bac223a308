import { compileExpression } from './expression';
import { readValue } from './sensor-value';

export interface Answer {
  status: number;
  /** The body may be cut. */
  body: string;
}

const OPTIONS = { variables: ['status', 'body'], withFields: ['body'] };

/** Undefined for a valid expression. */
export function successProblem(text: string): string | undefined {
  const compiled = compileExpression(text, OPTIONS);
  return compiled.ok ? undefined : `cannot be used: ${compiled.error}`;
}

/** Null for a success. */
export function whyNoSuccess(text: string, { status, body }: Answer): string | null {
  const compiled = compileExpression(text, OPTIONS);
  if (!compiled.ok) return compiled.error;
  const result = compiled.expression.evaluate({ status, body: readValue(body, 'json') });
  if (result.ok && result.value) return null;
  const why = result.ok ? 'is false' : `cannot be evaluated: ${result.error}`;
  return `the receiver answered ${status}, but "success" of the notification ${why}`;
}
