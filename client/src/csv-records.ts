export interface CsvRecord {
  /** The number of the record's first line. */
  line: number;
  cells: string[];
}

/** A record that is too long, or has a quote that is misplaced or never closed. */
export interface WrongRecord {
  line: number;
  cells: null;
  /** The record's first line. */
  text: string;
  /** Characters of a record that is too long; otherwise 0. */
  length: number;
}

export interface CsvReading {
  begin?: number;
  firstLine?: number;
  /** Characters of a record. */
  longest?: number;
  /** For programs: reading ends with a wrong record. Files of people may have quotes in cells and blanks behind quotes. */
  isStrict?: boolean;
  /** Called for each cell, with the first line of the record. */
  onCell?: (line: number) => void;
}

export type Separator = ',' | ';' | '\t';

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/ } as const;

/** Follows RFC 4180, with any separator. Quotes only cells that need it. */
export function formatCsvLine(cells: readonly string[], separator: Separator = ','): string {
  const needsQuotes = NEEDS_QUOTES[separator];
  const shown = cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${shown.join(separator)}\r\n`;
}

const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/**
 * For files that people open: a text that a spreadsheet would run as a formula gets a `'` before it, numbers do not.
 * `withoutGuard` returns the text.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

export function withoutGuard(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

/** By RFC 4180, with any separator. A line feed alone also ends a line; an empty line has one empty cell. */
export function* readRecords(
  text: string,
  separator: string,
  { begin = 0, firstLine = 1, longest = 400_000, isStrict = false, onCell }: CsvReading = {},
): Generator<CsvRecord | WrongRecord> {
  const source = { text, separator, longest, isStrict, onCell };
  let [at, line] = [begin, firstLine];
  while (at < text.length) {
    const { cells, length, end, lines } = readRecord(source, at, line);
    yield cells ? { line, cells } : { line, cells, length, text: text.slice(at, end - 1) };
    if (!cells && isStrict) return;
    at = end;
    line += lines;
  }
}

interface Source {
  text: string;
  separator: string;
  longest: number;
  isStrict: boolean;
  onCell: CsvReading['onCell'];
}

interface Read {
  cells: string[] | null;
  /** As in `WrongRecord`. */
  length: number;
  end: number;
  lines: number;
}

function readRecord(source: Source, start: number, line: number): Read {
  const { text, separator, longest, onCell } = source;
  const until = start + longest;
  const cells: string[] = [];
  let lines = 1;
  for (let at = start; ; ) {
    const read = readCell(source, at, until);
    if (!read || read.end > until) {
      const length = read ? endOfLine(text, until) - start : 0;
      return { cells: null, length, end: endOfLine(text, start) + 1, lines: 1 };
    }
    onCell?.(line);
    cells.push(read.cell);
    lines += read.lines;
    if (text[read.end] !== separator) return { cells, length: 0, end: behindLine(text, read.end), lines };
    at = read.end + 1;
  }
}

interface Cell {
  cell: string;
  end: number;
  lines: number;
}

function readCell(source: Source, start: number, until: number): Cell | undefined {
  return source.text[start] === '"' ? readQuoted(source, start, until) : readBare(source, start, until);
}

/** Ends behind `until` if the cell does. Undefined for a misplaced quote. */
function readBare({ text, separator, isStrict }: Source, start: number, until: number): Cell | undefined {
  let end = start;
  while (end <= until && end < text.length && text[end] !== separator && text[end] !== '\n') {
    if (isStrict && text[end] === '"') return undefined;
    end += 1;
  }
  if (end > until) return { cell: '', end, lines: 0 };
  if (text[end - 1] === '\r' && end > start && text[end] !== separator) end -= 1;
  return { cell: text.slice(start, end), end, lines: 0 };
}

/** Undefined for a misplaced quote, and without a closing one up to `until`. */
function readQuoted({ text, separator, isStrict }: Source, start: number, until: number): Cell | undefined {
  const quote = closingQuote(text, start + 1, until);
  if (quote < 0) return undefined;
  let end = quote + 1;
  while (!isStrict && text[end] === ' ') end += 1;
  const next = text[end];
  const isEnd = next === undefined || next === separator || next === '\n' || text.startsWith('\r\n', end);
  const written = text.slice(start + 1, quote);
  const cell = written.includes('"') ? written.replaceAll('""', '"') : written;
  return isEnd ? { cell, end, lines: cell.split('\n').length - 1 } : undefined;
}

function closingQuote(text: string, from: number, until: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && quote <= until && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote <= until ? quote : -1;
}

function endOfLine(text: string, from: number): number {
  const lineBreak = text.indexOf('\n', from);
  return lineBreak < 0 ? text.length : lineBreak;
}

function behindLine(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : at + 1;
}
