/** A data point as it is uploaded. */
export interface NewPoint {
  date: number;
  value: string | Record<string, unknown>;
}

/** Reads a table of dates and values: comma, semicolon or tab, quoted as in RFC 4180, with or without names at its head. */
export function readPoints(text: string): NewPoint[] {
  const rows = rowsOf(text).filter((row) => row.some((cell) => cell !== ''));
  const [first] = rows;
  if (!first) throw new Error('The file is empty.');
  const hasNames = readDate(first[0] ?? '') === undefined && !looksLikeDate(first[0] ?? '');
  const names = hasNames ? first.map((name) => name.trim()) : ['date', 'value'];
  const dateAt = Math.max(
    0,
    names.findIndex((name) => /^(date|time|timestamp|datetime)$/i.test(name)),
  );
  return rows.slice(hasNames ? 1 : 0).map((row, index) => {
    const line = index + (hasNames ? 2 : 1);
    const date = readDate(row[dateAt] ?? '');
    if (date === undefined) throw new Error(`Line ${line}: “${row[dateAt] ?? ''}” is not a date.`);
    const cells = row.flatMap((cell, at) => (at === dateAt ? [] : [[names[at] ?? 'value', cell] as const]));
    if (cells.length === 0) throw new Error(`Line ${line} has no value.`);
    return { date, value: valueIn(cells) };
  });
}

const LOOKED_AT = 200;

/** The data type of a sensor that these points suit. */
export function kindOf(points: readonly NewPoint[]): 'float' | 'boolean' | 'string' | 'json' {
  const values = points.slice(0, LOOKED_AT).map(({ value }) => (typeof value === 'string' ? scalar(value) : value));
  if (values.some((value) => typeof value === 'object')) return 'json';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.some((value) => typeof value === 'string') ? 'string' : 'float';
}

/** One column is the value itself, several are the fields of a JSON value. */
function valueIn(cells: readonly (readonly [name: string, text: string])[]): NewPoint['value'] {
  const [only] = cells;
  if (only && cells.length === 1 && !only[0].startsWith('value.')) return only[1];
  const fields = cells
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name.replace(/^value\./, ''), scalar(text)]);
  return Object.fromEntries(fields);
}

function scalar(text: string): unknown {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

const MILLISECONDS_FROM = 1e11;

/** Unix seconds from seconds, milliseconds or a text; a text without an offset is in the zone of this browser. */
function readDate(text: string): number | undefined {
  const trimmed = text.trim();
  const number = Number(trimmed);
  if (trimmed !== '' && Number.isFinite(number) && number >= 1e8) {
    return number >= MILLISECONDS_FROM ? number / 1000 : number;
  }
  const ms = looksLikeDate(trimmed) ? Date.parse(trimmed.replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2')) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function looksLikeDate(text: string): boolean {
  return /^\s*\d{4}-\d\d-\d\d/.test(text);
}

/** The cells of each line. */
function rowsOf(text: string): string[][] {
  const head = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const delimiter = [';', '\t', ','].find((one) => head.includes(one)) ?? ',';
  const rows: string[][] = [[]];
  let [cell, quoted] = ['', false];
  const next = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (quoted) cell += character;
    else if (character === delimiter) next();
    else if (character === '\n') {
      next();
      rows.push([]);
    } else if (character !== '\r') cell += character;
  }
  next();
  return rows;
}
