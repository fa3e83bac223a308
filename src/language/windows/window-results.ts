import type { CompiledWindow } from '../compiled-expression';
import { CannotEvaluate } from '../evaluation-cost';
import { tokensOf } from '../expression-tokens';
import { readLabelCall } from '../labels';
import type { PointWindows } from './sensor-windows';
import { isWindowFunction, readWindow } from './window-call';

/** Results by call; absent without a result. */
export type CallResults = Readonly<Record<string, number>>;

export function resultsAt(windows: readonly CompiledWindow[], points: PointWindows, atMs: number): CallResults {
  const results: Record<string, number> = {};
  for (const window of windows) {
    try {
      results[callOf(window)] = points.valueOf(window, atMs);
    } catch (error) {
      if (!(error instanceof CannotEvaluate)) throw error;
    }
  }
  return results;
}

/** Throws Error if there is none. */
export function resultOf(window: CompiledWindow, results: CallResults): number {
  const result = results[callOf(window)];
  if (result === undefined) throw new Error(`the points of "${window.name}" are not given`);
  return result;
}

/** Where calls of window functions and labels stand in a checked expression, in order. */
export function callsIn(expression: string): { start: number; end: number }[] {
  const tokens = tokensOf(expression);
  const calls: { start: number; end: number }[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const {
      kind,
      value,
      path,
      position: start,
    } = tokens[at] ?? tokens[0] ?? { kind: 'end', value: '', path: [], position: 0 };
    const isCall = tokens[at + 1]?.value === '(' && (isWindowFunction(value) || value === 'label');
    if (kind !== 'name' || path.length > 0 || !isCall) continue;
    const { next } = isWindowFunction(value) ? readWindow(tokens, at, value) : readLabelCall(tokens, at);
    calls.push({ start, end: (tokens[next - 1]?.position ?? start) + 1 });
    at = next - 1;
  }
  return calls;
}

function callOf({ name, key, seconds, parameter }: CompiledWindow): string {
  return JSON.stringify([name, key, seconds, parameter]);
}
