import { compileExpression } from './expression';
import { readValue } from './sensor-value';

/** The answer of a receiver, as the expression of a success reads it. */
export interface Answer {
  status: number;
  /** The beginning of its body; fields of a JSON body can be read. */
  body: string;
}

const OPTIONS = { variables: ['status', 'body'], withFields: ['body'] };

/** Why a text cannot say what a success is; undefined if it can. */
export function successProblem(text: string): string | undefined {
  const compiled = compileExpression(text, OPTIONS);
  return compiled.ok ? undefined : `cannot be used: ${compiled.error}`;
}

/** Why an answer is no success by this expression; null if it is one. */
export function whyNoSuccess(text: string, { status, body }: Answer): string | null {
  const compiled = compileExpression(text, OPTIONS);
  if (!compiled.ok) return compiled.error;
  const result = compiled.expression.evaluate({ status, body: readValue(body, 'json') });
  if (result.ok && result.value) return null;
  const why = result.ok ? 'is false' : `cannot be evaluated: ${result.error}`;
  return `the receiver answered ${status}, but "success" of the notification ${why}`;
}
