import { formatCsvLine } from '../../../client/src/csv-records';
import type { ZonedCsvQuery } from '../../edge/csv-query';
import { formatIsoDate, toUnixSeconds } from '../../edge/dates';
import { localDateIn } from '../../language/local-time';
import { withDecimalComma } from './decimal-commas';

/** Some spreadsheets recognise a file in UTF-8 by this. */
const BYTE_ORDER_MARK = '\ufeff';

export class CsvFormat {
  private readonly hasCommas: boolean;

  constructor(private readonly wanted: ZonedCsvQuery) {
    this.hasCommas = wanted.separator === 'semicolon';
  }

  header(cells: readonly string[]): string {
    return (this.wanted.bom ? BYTE_ORDER_MARK : '') + this.line(cells);
  }

  line(cells: readonly string[]): string {
    return formatCsvLine(cells, this.hasCommas ? ';' : ',');
  }

  /** Other texts than numbers are unchanged. */
  number(text: string): string {
    return this.hasCommas ? withDecimalComma(text) : text;
  }

  date(ms: number): string {
    return showDate(ms, this.wanted);
  }

  /** The heading of dates, with the zone if they are local. */
  dateHeading(name: string): string {
    const { dates, timezone = 'UTC' } = this.wanted;
    return dates === 'local' ? `${name} (${timezone})` : name;
  }
}

/** A local date has no milliseconds: spreadsheets would take it for a text. */
export function showDate(ms: number, { dates, timezone = 'UTC' }: ZonedCsvQuery): string {
  if (dates === 'iso') return formatIsoDate(ms);
  if (dates === 'local') return localDateIn(timezone, ms).toISOString().slice(0, 19).replace('T', ' ');
  return String(toUnixSeconds(ms));
}
