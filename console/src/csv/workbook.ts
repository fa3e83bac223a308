import { t } from '../language';
import { WORKBOOK_FORMAT } from './formats';
import type { Table } from './records';
import type { TableRecord } from './types';

/** The first sheet of a workbook with several lines. Dates are as the clock in the cell shows them. */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<Table> {
  const { default: readSheets } = await import('read-excel-file/universal'); // loaded when it is needed
  const sheets = await readSheets(bytes.buffer).catch(() => {
    throw new Error(t('This is an archive, or a workbook that cannot be read. Save it as XLSX or CSV.'));
  });
  const filled = sheets.map(({ sheet, data }) => ({ sheet, records: data.map(toRecord).filter(isFilled) }));
  const chosen = filled.find(({ records }) => records.length > 1) ?? filled[0];
  return { separator: WORKBOOK_FORMAT, sheet: chosen?.sheet, records: chosen?.records ?? [], broken: new Set() };
}

function toRecord(row: readonly unknown[], index: number): TableRecord {
  return { line: index + 1, cells: row.map(cellOf) };
}

function isFilled({ cells }: TableRecord): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

/** A time of day without a date is one of the first days that workbooks know. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value);
  // A fraction of a day is a little less than the second that is meant.
  const ms = value.getTime() % 1000 === 999 ? value.getTime() + 1 : value.getTime();
  const [day = '', time = ''] = new Date(ms)
    .toISOString()
    .replace(/(?:\.000)?Z$/, '')
    .split('T');
  return value.getUTCFullYear() < 1901 ? time : `${day} ${time}`;
}
