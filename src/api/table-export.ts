import { guardFormula } from '../../client/src/csv-records';
import type { ZonedCsvQuery } from '../edge/csv-query';
import type { PageQuery } from '../edge/paging';
import { isTimeZone, TIME_ZONE_RULE } from '../language/local-time';
import { InvalidInput } from '../platform/errors';
import { CsvFormat, type ExportedLines, type ExportFormat } from '../points';
import type { Cell, Table } from './tables';

const MOST_ITEMS = 100_000;

export type ListQuery = ZonedCsvQuery & PageQuery;
type ReadPage = (page: PageQuery) => Promise<Readonly<Record<string, unknown>>>;

/**
 * All pages of a list as lines, unless one is requested; read on demand. Throws InvalidInput for a list that is too
 * long, before the first line.
 */
export function exportTable(table: Table, format: ExportFormat, query: ListQuery, readPage: ReadPage): ExportedLines {
  const { timezone } = query;
  if (timezone !== undefined && !isTimeZone(timezone)) throw InvalidInput.field('timezone', TIME_ZONE_RULE);
  const pages = readPages(table, query, readPage);
  return { name: table.name, lines: format === 'ndjson' ? jsonLines(pages) : csvLines(table, query, pages) };
}

async function* readPages(
  { list, perPage }: Table,
  { page, per_page }: PageQuery,
  readPage: ReadPage,
): AsyncGenerator<readonly unknown[]> {
  const isWhole = page === undefined && per_page === undefined;
  const first = await readPage(isWhole ? { page: 0, per_page: perPage, total: true } : { page, per_page });
  const total = isWhole ? Number(first.total) : 0;
  if (total > MOST_ITEMS) {
    throw new InvalidInput(`the list has more than ${MOST_ITEMS} items: narrow it, or ask for pages`);
  }
  yield itemsOf(first, list);
  for (let next = 1; next * perPage < total; next += 1) {
    yield itemsOf(await readPage({ page: next, per_page: perPage, total: false }), list);
  }
}

function itemsOf(answer: Readonly<Record<string, unknown>>, list: string): readonly unknown[] {
  return answer[list] as readonly unknown[]; // the operation lists these
}

async function* csvLines(table: Table, query: ZonedCsvQuery, pages: AsyncIterable<readonly unknown[]>) {
  const format = new CsvFormat(query);
  const headings = table.columns.map((name) => (table.dates.has(name) ? format.dateHeading(name) : name));
  let isFirst = true;
  for await (const items of pages) {
    const rows = items.flatMap((item) => table.rowsOf(item));
    const lines = rows.map((row) =>
      format.line(table.columns.map((name) => cellOf(row[name], format, table.dates.has(name)))),
    );
    yield isFirst ? [format.header(headings), ...lines] : lines;
    isFirst = false;
  }
}

async function* jsonLines(pages: AsyncIterable<readonly unknown[]>) {
  for await (const items of pages) yield items.map((item) => `${JSON.stringify(item)}\n`);
}

function cellOf(cell: Cell, format: CsvFormat, isDate: boolean): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'number') return guardFormula(String(cell));
  return isDate ? format.date(Math.round(cell * 1000)) : format.number(String(cell));
}
