import assert from 'node:assert/strict';
import type { readEcowitt } from '../../src/gateways/protocols/ecowitt';

/** Reads a form as a server does. */
export function readForm(body: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

/** The fields of the only point. */
export function fieldsOf(points: ReturnType<typeof readEcowitt>): Record<string, unknown> {
  const [point, ...more] = points;
  assert.ok(point);
  assert.equal(more.length, 0);
  return JSON.parse(point.value);
}
