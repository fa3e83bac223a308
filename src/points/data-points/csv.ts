import { MAX_LINE, whyTooLong } from '../../edge/longest-line';

export interface CsvRecord {
  line: number;
  cells: string[];
}

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

/**
 * By RFC 4180, with any separator. A line feed alone also ends a line; an empty line has one empty cell. `cells` is null
 * in the last record if a quote is misplaced or it is too long. `begin` is on `firstLine`. `onCell` gets the line of
 * each cell.
 */
export function* parseCsv(
  text: string,
  separator: Separator = ',',
  { begin = 0, firstLine = 1, onCell = (_line: number) => {} } = {},
): Generator<CsvRecord | WrongRecord> {
  let at = begin;
  for (let line = firstLine; at < text.length; ) {
    const start = line;
    const until = at + MAX_LINE;
    const cells: string[] = [];
    for (let isMore = true; isMore; ) {
      const read = readCell(text, at, until, separator);
      if (typeof read === 'string') {
        yield { line: start, cells: null, why: read };
        return;
      }
      onCell(start);
      cells.push(read.cell);
      line += read.lines;
      isMore = text[read.end] === separator;
      at = isMore ? read.end + 1 : endOfLine(text, read.end);
    }
    line += 1;
    yield { line: start, cells };
  }
}

interface Cell {
  cell: string;
  end: number;
  lines: number;
}

/** A text says why it cannot be read. */
function readCell(text: string, start: number, until: number, separator: Separator): Cell | string {
  const read =
    text[start] === '"' ? readQuoted(text, start, until, separator) : readBare(text, start, until, separator);
  if (!read) return MISPLACED;
  return read.end > until ? whyLong(text, until) : read;
}

/** Ends behind `until` if the cell does. Undefined for a misplaced quote. */
function readBare(text: string, start: number, until: number, separator: Separator): Cell | undefined {
  let end = start;
  while (end <= until && end < text.length && text[end] !== separator && text[end] !== '\n') {
    if (text[end] === '"') return undefined;
    end += 1;
  }
  if (end > until) return { cell: '', end, lines: 0 };
  if (text[end - 1] === '\r' && end > start && text[end] !== separator) end -= 1;
  return { cell: text.slice(start, end), end, lines: 0 };
}

/** Undefined for a misplaced quote, and without a closing one up to `until`. */
function readQuoted(text: string, start: number, until: number, separator: Separator): Cell | undefined {
  const quote = closingQuote(text, start + 1, until);
  if (quote < 0) return undefined;
  const next = text[quote + 1];
  const isEnd = next === undefined || next === separator || next === '\n' || text.startsWith('\r\n', quote + 1);
  const written = text.slice(start + 1, quote);
  const cell = written.includes('"') ? written.replaceAll('""', '"') : written;
  return isEnd ? { cell, end: quote + 1, lines: cell.split('\n').length - 1 } : undefined;
}

function closingQuote(text: string, from: number, until: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && quote <= until && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote <= until ? quote : -1;
}

function whyLong(text: string, until: number): string {
  const lineBreak = text.indexOf('\n', until);
  return whyTooLong((lineBreak < 0 ? text.length : lineBreak) - until + MAX_LINE) ?? MISPLACED;
}

function endOfLine(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : at + 1;
}
