import { type DateFormat, readDate, signsOf } from './dates';
import type { Layout } from './layout';
import { MIDNIGHT } from './times';
import type { Choices, Order, Surroundings, TableRecord, Understanding } from './types';
import { clockIn, type Moment } from './zones';

/** The readable dates of all rows of a table. */
export interface Moments {
  /**
   * The date of a row. Undefined if the row has no readable date, or if the order of day and month is not known yet.
   */
  read(record: TableRecord): Moment | undefined;
  /** The date in milliseconds; also undefined for a time that local clocks skip. */
  at(record: TableRecord): number | undefined;
  zone: string;
  usesZone: boolean;
  order: Understanding['order'];
}

/** Reads the dates of a table. The order of day and month follows from all of them; otherwise `order` asks for it. */
export function momentsOf(layout: Layout, { zone: chosenZone, order: chosen }: Choices, around: Surroundings): Moments {
  const zone = chosenZone ?? layout.zone ?? around.zone;
  const clock = clockIn(zone);
  const { digits, order, example, usesZone } = formatOf(layout, around);
  const asked = order === undefined ? { example, chosen } : undefined;
  const known = order ?? chosen;
  const read = (record: TableRecord): Moment | undefined => {
    if (known === undefined) return undefined;
    const shown = readDate(dateIn(record, layout), { order: known, digits });
    if (!shown) return undefined;
    if ('ms' in shown) return { ms: shown.ms, shown: 'once' };
    const moment = clock(shown.wallMs);
    // A day whose midnight is skipped begins at the first moment after it.
    return shown.isDay ? { ms: moment.ms, shown: 'once' } : moment;
  };
  return {
    read,
    at: (record) => {
      const moment = read(record);
      return moment?.shown === 'never' ? undefined : moment?.ms;
    },
    zone,
    usesZone,
    order: asked,
  };
}

/** The text of a row's date: one cell, or the day and the time. */
export function dateIn({ cells }: TableRecord, { dateAt, timeAt, readTime }: Layout): string {
  const date = (cells[dateAt] ?? '').trim();
  if (timeAt === undefined) return date;
  const time = (cells[timeAt] ?? '').trim();
  const day = date.replace(MIDNIGHT, '').replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return `${day} ${readTime?.(time) ?? time}`;
}

interface Found {
  digits: DateFormat['digits'];
  /** Undefined if both orders make the same number of dates, but different ones. */
  order: Order | undefined;
  example: string;
  usesZone: boolean;
}

function formatOf({ rows, dateAt, timeAt }: Layout, { nowMs }: Surroundings): Found {
  const counts = { day: 0, month: 0, spelled: 0, digits: 0 };
  let example = '';
  let usesZone = false;
  for (const { cells } of rows) {
    const signs = signsOf(cells[dateAt] ?? '', nowMs);
    if (!signs) continue;
    counts.day += Number(signs.dayFirst);
    counts.month += Number(signs.monthFirst);
    counts.spelled += Number(signs.spelled);
    counts.digits += Number(signs.isDigits);
    if (signs.isAmbiguous && !example) example = cells[dateAt]?.trim() ?? '';
    usesZone ||= !signs.hasZone && !endsWithZone(timeAt === undefined ? '' : cells[timeAt]);
  }
  // One in 200 counts of milliseconds spells a date by chance.
  const digits = counts.spelled > 0 && counts.spelled * 2 >= counts.digits ? 'spelled' : 'unix';
  return { digits, order: orderOf(counts, example), example, usesZone };
}

function orderOf({ day, month }: { day: number; month: number }, example: string): Order | undefined {
  if (day === month && example) return undefined;
  return month > day ? 'month' : 'day';
}

/** The time may contain a zone. */
function endsWithZone(time = ''): boolean {
  return ENDS_WITH_ZONE.test(time);
}

const ENDS_WITH_ZONE = /\d\s*(?:Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)\s*$/i;
