export interface CsvRecord {
  line: number;
  cells: string[];
}

export type Separator = ',' | ';' | '\t';

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/ } as const;

/** Follows RFC 4180, with any separator. Quotes only cells that need it. */
export function formatCsvLine(cells: readonly string[], separator: Separator = ','): string {
  const needsQuotes = NEEDS_QUOTES[separator];
  const shown = cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${shown.join(separator)}\r\n`;
}

/**
 * By RFC 4180, with any separator. A line feed alone also ends a line; empty lines are skipped. A record with a
 * misplaced quote is null. `begin` is on `firstLine`. `onCell` gets the line of each cell, and of an empty line.
 */
export function* parseCsv(
  text: string,
  separator: Separator = ',',
  { begin = 0, firstLine = 1, onCell = (_line: number) => {} } = {},
): Generator<CsvRecord | { line: number; cells: null }> {
  let at = begin;
  for (let line = firstLine; at < text.length; ) {
    const start = line;
    const cells: string[] = [];
    for (let isMore = true; isMore; ) {
      const read = text[at] === '"' ? readQuoted(text, at, separator) : readBare(text, at, separator);
      if (!read) {
        yield { line: start, cells: null };
        return;
      }
      onCell(start);
      cells.push(read.cell);
      line += read.lines;
      isMore = text[read.end] === separator;
      at = isMore ? read.end + 1 : endOfLine(text, read.end);
    }
    line += 1;
    if (cells.length > 1 || cells[0] !== '') yield { line: start, cells };
  }
}

interface Cell {
  cell: string;
  end: number;
  lines: number;
}

function readBare(text: string, start: number, separator: Separator): Cell | undefined {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') {
    if (text[end] === '"') return undefined;
    end += 1;
  }
  if (text[end - 1] === '\r' && end > start && text[end] !== separator) end -= 1;
  return { cell: text.slice(start, end), end, lines: 0 };
}

function readQuoted(text: string, start: number, separator: Separator): Cell | undefined {
  let cell = '';
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return undefined;
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const next = text[quote + 1];
      const isEnd = next === undefined || next === separator || next === '\n' || text.startsWith('\r\n', quote + 1);
      return isEnd ? { cell, end: quote + 1, lines: cell.split('\n').length - 1 } : undefined;
    }
    cell += '"';
    from = quote + 2;
  }
}

function endOfLine(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : at + 1;
}
