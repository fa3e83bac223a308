import { isDate } from './dates';
import { isGap } from './gaps';
import { readQuantity } from './numbers';
import type { TableRecord } from './types';

const LOOKED_AT = 200;
/** Lines of annotated CSV, which InfluxDB exports, above the names. */
const ANNOTATION = /^#(?:group|datatype|default)$/;

/**
 * The records, so that each line has its date in one cell: dates in parts are joined, and dates that are names of
 * columns become lines. `hasDates`: whether a column of dates can be found.
 */
export function withDates(
  given: readonly TableRecord[],
  hasDates: (records: readonly TableRecord[]) => boolean,
): readonly TableRecord[] {
  const records = given.filter(({ cells }) => !ANNOTATION.test((cells[0] ?? '').trim()));
  const lines = linesOfDates(records);
  if (lines) return lines;
  return hasDates(records) ? records : (joinParts(records) ?? records);
}

const FEWEST_ACROSS = 2;

/** Undefined unless a line of names has dates, above values of these dates. */
function linesOfDates(records: readonly TableRecord[]): readonly TableRecord[] | undefined {
  const headAt = records.slice(0, LOOKED_AT).findIndex(({ cells }) => cells.filter(isDate).length >= FEWEST_ACROSS);
  const head = records[headAt];
  if (!head) return undefined;
  const columns = head.cells.map((_, at) => at);
  const dates = columns.filter((at) => isDate(head.cells[at] ?? ''));
  const others = columns.filter((at) => !dates.includes(at));
  const rows = records.slice(headAt + 1);
  const isNumber = (cell = '') => readQuantity(cell, '.') !== undefined || readQuantity(cell, ',') !== undefined;
  const areValues =
    rows.some(({ cells }) => dates.some((at) => isNumber(cells[at]))) &&
    rows.every(({ cells }) =>
      dates.every((at) => isGap(cells[at] ?? '') || (isNumber(cells[at]) && !isDate(cells[at] ?? ''))),
    );
  if (dates.at(-1) !== columns.at(-1) || others.some((at) => at > (dates[0] ?? 0)) || !areValues) {
    return undefined;
  }
  const names = { line: head.line, cells: ['date', ...others.map((at) => head.cells[at] ?? ''), 'value'] };
  const lines = rows.flatMap(({ line, cells }) =>
    dates.map((at) => ({
      line,
      cells: [head.cells[at] ?? '', ...others.map((other) => cells[other] ?? ''), cells[at] ?? ''],
    })),
  );
  return [names, ...lines];
}

/** The names of the parts of a date, in several languages, and the part if a file has none. */
const PARTS: readonly (readonly [name: RegExp, otherwise: string | undefined])[] = [
  [/^(?:year|yyyy|yr|jahr|année|annee|an|año|ano|anno|jaar|rok)$/i, undefined],
  [/^(?:month|mm|mon|mo|monat|mois|mes|mês|mese|maand|miesiąc)$/i, undefined],
  [/^(?:day|dd|dy|tag|jour|día|dia|giorno|dag|dzień)$/i, undefined],
  [/^(?:hour|hh|hr|stunde|heure|hora|ora|uur|godzina)$/i, '0'],
  [/^(?:minute|min|mn|minuto|minuut)$/i, '0'],
  [/^(?:second|sec|ss|sekunde|seconde|segundo|secondo)$/i, '0'],
];
const JOINED = 'date: ';
const BETWEEN = ', ';

/** True if the dates are joined from this column and others: the name of the dates lists them. */
export function isPartOf(dates: string, name: string): boolean {
  return dates.startsWith(JOINED) && dates.slice(JOINED.length).split(BETWEEN).includes(name);
}

/** Undefined unless columns of year, month and day have their names. */
function joinParts(records: readonly TableRecord[]): readonly TableRecord[] | undefined {
  const placesIn = ({ cells }: TableRecord) =>
    PARTS.map(([pattern]) => cells.findIndex((cell) => pattern.test(cell.trim())));
  const headAt = records.slice(0, LOOKED_AT).findIndex((record) =>
    placesIn(record)
      .slice(0, 3)
      .every((at) => at >= 0),
  );
  const head = records[headAt];
  if (!head) return undefined;
  const places = placesIn(head);
  const parts = places.flatMap((at) => (at < 0 ? [] : (head.cells[at] ?? '').trim()));
  return records.map((record, index) => {
    if (index < headAt) return { ...record, cells: ['', ...record.cells] };
    if (index === headAt) return { ...record, cells: [JOINED + parts.join(BETWEEN), ...record.cells] };
    const [year = '', month, day, ...time] = places.map((at, part) =>
      (at < 0 ? (PARTS[part]?.[1] ?? '') : (record.cells[at] ?? '').trim()).padStart(2, '0'),
    );
    return { ...record, cells: [`${year}-${month}-${day} ${time.join(':')}`, ...record.cells] };
  });
}
