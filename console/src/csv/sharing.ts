import type { Line } from './points';
import type { Sharing, Understanding } from './types';

/** Lines that became points with unique dates. */
export interface Shared {
  /** In order of date. */
  points: readonly Line[];
  shared: Understanding['shared'];
  repeated: number;
}

const EXAMPLES = 5;

/**
 * Gives each point a unique date. A line that repeats another of its date is the same point. With `merges`, lines of
 * one date are fields of one point, as long as their fields differ. The remaining lines are kept a millisecond apart,
 * in the order of the file, or only the last is. The same file always gets the same dates, so uploading it again
 * changes nothing.
 */
export function shareDates(lines: readonly Line[], sharing: Sharing, merges: boolean): Shared {
  const byDate = groupByDate(lines);
  const taken = new Set(byDate.keys());
  const points: Line[] = [];
  const found = { lines: 0, dates: 0, examples: [] as number[], sharing };
  let repeated = 0;
  for (const group of byDate.values()) {
    const different = group.length === 1 ? group : withoutRepeats(group);
    repeated += group.length - different.length;
    const merged = merges ? mergeFields(different) : different;
    if (merged.length > 1) {
      found.lines += different.length;
      found.dates += 1;
      if (found.examples.length < EXAMPLES) found.examples.push(...different.slice(0, 2).map(({ line }) => line));
    }
    points.push(...(sharing === 'last' ? lastOf(merged, merges) : apart(merged, taken)));
  }
  return { points: points.sort((a, b) => a.ms - b.ms), shared: found, repeated };
}

function groupByDate(lines: readonly Line[]): Map<number, Line[]> {
  const byDate = new Map<number, Line[]>();
  for (const line of lines) {
    const group = byDate.get(line.ms);
    if (group) group.push(line);
    else byDate.set(line.ms, [line]);
  }
  return byDate;
}

function withoutRepeats(group: readonly Line[]): Line[] {
  const known = new Map<string, Line>();
  for (const line of group) {
    const key = line.fields ? JSON.stringify(line.fields) : line.plain;
    if (!known.has(key)) known.set(key, line);
  }
  return [...known.values()];
}

/** A repeated field goes into the next point. */
function mergeFields(group: readonly Line[]): Line[] {
  const merged: Line[] = [];
  const counts = new Map<string, number>();
  for (const line of group) {
    const names = Object.keys(line.fields ?? {});
    const at = names.reduce((most, name) => Math.max(most, counts.get(name) ?? 0), 0);
    for (const name of names) counts.set(name, at + 1);
    const before = merged[at];
    merged[at] = before ? { ...before, fields: { ...before.fields, ...line.fields } } : line;
  }
  return merged;
}

/** If lines are fields of one point, earlier fields are kept unless the last point has the same name. */
function lastOf(group: readonly Line[], merges: boolean): readonly Line[] {
  if (!merges) return group.slice(-1);
  const fields = Object.assign({}, ...group.map((line) => line.fields));
  return group.slice(-1).map((line) => ({ ...line, fields }));
}

/** The first keeps its date; the others get the next milliseconds that no other line has. */
function apart(group: readonly Line[], taken: Set<number>): Line[] {
  let next = group[0]?.ms ?? 0;
  return group.map((line, at) => {
    if (at === 0) return line;
    do next += 1;
    while (taken.has(next));
    taken.add(next);
    return { ...line, ms: next };
  });
}
