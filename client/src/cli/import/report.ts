import type { LeftOutRow } from './left-out';
import { numbered } from './progress';
import type { SeriesCount } from './run-import';
import type { Sensors } from './sensors';
import type { Verified } from './verify';

const MAX_ROWS = 40;
const MAX_NAME = 60;

export interface Report {
  verified: readonly Verified[];
  leftOut: readonly LeftOutRow[];
  notes: readonly string[];
}

/** The end of an import, for people: a row for each sensor, and what was left out. */
export function reportText({ verified, leftOut, notes }: Report): string {
  const differing = verified.filter(({ problem }) => problem !== '');
  const shown = [...differing, ...verified.filter(({ problem }) => problem === '')].slice(0, MAX_ROWS);
  const rows = shown.map(({ sensor, read, refused, repeated, stored, problem }) => [
    shortened(sensor),
    ...[read, refused, repeated ?? '?', stored].map((cell) => (typeof cell === 'number' ? numbered(cell) : cell)),
    problem === '' ? '' : '✗',
  ]);
  const sum = (of: (one: Verified) => number) => verified.reduce((total, one) => total + of(one), 0);
  const lines = [
    ...table([['sensor', 'read', 'left out', 'repeated', 'stored', ''], ...rows]),
    ...(verified.length > shown.length ? [`… and ${numbered(verified.length - shown.length)} more sensors`] : []),
    '',
    `${numbered(sum(({ read }) => read))} points of ${numbered(verified.length)} series were read, ${numbered(sum(({ stored }) => stored))} are stored.`,
  ];
  if (verified.some(({ repeated }) => repeated !== 0)) {
    lines.push('Of points with one date, the last one of the source is kept: dates have milliseconds.');
  }
  if (differing.length > 0) {
    lines.push(`The numbers of ${differing.length} sensors differ:`);
    for (const { sensor, sensorId, problem } of differing) lines.push(`  ${sensor} (${sensorId}): ${problem}`);
  }
  return `${[...lines, ...leftOutLines(leftOut), ...notes].join('\n')}\n`;
}

export interface Planned {
  sensor: string;
  unit: string;
  points: number;
  /** Days; empty without points. */
  from: string;
  to: string;
  becomes: 'new' | 'again' | 'existing';
}

/** What an import would make of each series. */
export function plannedRows(series: readonly SeriesCount[], sensors: Sensors): Planned[] {
  const day = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '');
  return series.map(({ series: one, dates, read, refused }) => ({
    sensor: one.name,
    unit: one.unit ?? '',
    points: read - refused,
    from: day(dates.firstMs),
    to: day(dates.lastMs),
    becomes: sensors.planned(one),
  }));
}

/** The same for people. */
export function planText({
  planned,
  leftOut,
  notes,
}: Omit<Report, 'verified'> & { planned: readonly Planned[] }): string {
  const words = { new: 'new sensor', again: 'made by an earlier import', existing: 'exists: needs --into-existing' };
  const rows = planned
    .slice(0, MAX_ROWS)
    .map(({ sensor, unit, points, from, to, becomes }) => [
      shortened(sensor),
      unit,
      numbered(points),
      from,
      to,
      words[becomes],
    ]);
  const lines = [
    ...table([['sensor', 'unit', 'points', 'from', 'to', ''], ...rows]),
    ...(planned.length > rows.length ? [`… and ${numbered(planned.length - rows.length)} more sensors`] : []),
    '',
    'Nothing was made and nothing sent.',
  ];
  return `${[...lines, ...leftOutLines(leftOut), ...notes].join('\n')}\n`;
}

function leftOutLines(leftOut: readonly LeftOutRow[]): string[] {
  if (leftOut.length === 0) return [];
  return [
    'Not carried over:',
    ...leftOut.map(({ reason, count, examples }) => `  ${numbered(count)} × ${reason}: ${examples.join('; ')}`),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (/^[\d,?]+$/.test(cell) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}
