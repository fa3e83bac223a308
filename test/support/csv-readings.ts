import { readTable } from '../../console/src/csv/records';
import type { Choices, Role, Understanding } from '../../console/src/csv/types';
import { batchFrom, understand } from '../../console/src/csv/understand';

export const NOW_MS = Date.UTC(2026, 10, 25, 12);
export const AROUND = { zone: 'Europe/Amsterdam', nowMs: NOW_MS };

/** The reading of a file: its preview, and the points by their dates in ISO 8601. */
export function read(lines: readonly string[] | string, choices: Choices = {}) {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  const { understanding, points } = understand(readTable(text), choices, AROUND);
  const stored = Object.fromEntries(batchFrom(points, 0).map(({ ms, value }) => [new Date(ms).toISOString(), value]));
  return { understanding, stored };
}

export const rolesOf = ({ columns }: Understanding): Role[] => columns.map(({ role }) => role);
export const namesOf = ({ columns }: Understanding): string[] => columns.map(({ name }) => name);

/** The lines that are left out, by reason. */
export const leftOut = ({ leftOut: all }: Understanding) =>
  Object.fromEntries(all.map(({ reason, examples }) => [reason, examples.map(({ line }) => line)]));

/** Lines of CSV, a minute apart, with these values. */
export const minutes = (...values: readonly string[]) =>
  values.map((value, at) => `2026-11-20T10:${String(at).padStart(2, '0')}:00Z,${value}`);
