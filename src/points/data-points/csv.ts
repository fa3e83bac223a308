import { type CsvReading, type CsvRecord, readRecords } from '../../../client/src/csv-records';
import { MAX_LINE, whyTooLong } from '../../edge/longest-line';

export type Separator = ',' | ';' | '\t';

interface WrongRecord {
  line: number;
  cells: null;
  why: string;
}

const MISPLACED = `has a quote in the wrong place, or no closing one within ${MAX_LINE} characters`;

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/ } as const;

/** Follows RFC 4180, with any separator. Quotes only cells that need it. */
export function formatCsvLine(cells: readonly string[], separator: Separator = ','): string {
  const needsQuotes = NEEDS_QUOTES[separator];
  const shown = cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${shown.join(separator)}\r\n`;
}

/** As `readRecords`, strictly; the last record says why it is wrong. */
export function* parseCsv(
  text: string,
  separator: Separator = ',',
  reading: Pick<CsvReading, 'begin' | 'firstLine' | 'onCell'> = {},
): Generator<CsvRecord | WrongRecord> {
  for (const record of readRecords(text, separator, { ...reading, longest: MAX_LINE, isStrict: true })) {
    const { line, cells } = record;
    yield cells ? { line, cells } : { line, cells, why: whyTooLong(record.length) ?? MISPLACED };
  }
}
