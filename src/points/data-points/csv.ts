import { type CsvReading, type CsvRecord, readRecords, type Separator } from '../../../client/src/csv-records';
import { MAX_LINE, whyTooLong } from '../../edge/longest-line';

interface WrongRecord {
  line: number;
  cells: null;
  why: string;
}

const MISPLACED = `has a quote in the wrong place, or no closing one within ${MAX_LINE} characters`;

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
