import type { Range } from './points';
import type { Line } from './shape';

/** One hour or one day of a heat map. */
export interface Cell {
  column: number;
  row: number;
  from: number;
  to: number;
  /** The mean, and the lowest and highest number. */
  value: number;
  low: number;
  high: number;
}

/** Days as columns of 24 hours, or weeks as columns of seven days. */
export interface Grid {
  kind: 'hours' | 'days';
  columns: number;
  rows: number;
  /** The midnight with which the first column begins, in unix seconds. */
  from: number;
  cells: Cell[];
}

const HOUR = 3_600;
const DAY = 86_400;
/** A longer range shows days instead of hours. */
const MOST_DAYS_OF_HOURS = 62;

/** What the cells of a heat map of this range are. */
export function kindOf({ from, to }: Range): Grid['kind'] {
  return to - from <= MOST_DAYS_OF_HOURS * DAY ? 'hours' : 'days';
}

/** Places the means of hours or days, by the clock of this zone. `firstDay` begins the weeks: 0 is Sunday. */
export function gridOf(line: Line, range: Range, firstDay: number): Grid {
  const kind = kindOf(range);
  const start = midnightOf(range.from);
  if (kind === 'days') start.setDate(start.getDate() - ((start.getDay() - firstDay + 7) % 7));
  const dayOf = (seconds: number) => Math.round((midnightOf(seconds).getTime() - start.getTime()) / 1000 / DAY);
  const cells: Cell[] = [];
  line.dates.forEach((date, at) => {
    const value = line.values[at];
    const day = dayOf(date);
    if (typeof value !== 'number' || day < 0 || date > range.to) return;
    const place =
      kind === 'hours'
        ? { column: day, row: new Date(date * 1000).getHours(), from: date, to: date + HOUR }
        : { column: Math.floor(day / 7), row: day % 7, from: date, to: nextDay(date) };
    cells.push({ ...place, value, low: line.low?.[at] ?? value, high: line.high?.[at] ?? value });
  });
  const days = dayOf(range.to) + 1;
  const [columns, rows] = kind === 'hours' ? [days, 24] : [Math.ceil(days / 7), 7];
  return { kind, columns, rows, from: start.getTime() / 1000, cells };
}

/** The day of a column, or the first one of its week. */
export function dayOfColumn({ kind, from }: Grid, column: number): Date {
  const day = new Date(from * 1000);
  day.setDate(day.getDate() + column * (kind === 'hours' ? 1 : 7));
  return day;
}

function midnightOf(seconds: number): Date {
  const date = new Date(seconds * 1000);
  date.setHours(0, 0, 0, 0);
  return date;
}

function nextDay(seconds: number): number {
  const date = midnightOf(seconds);
  date.setDate(date.getDate() + 1);
  return date.getTime() / 1000;
}
