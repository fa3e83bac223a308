import { t } from '../language';
import { JSON_FORMAT } from './formats';
import type { Table } from './records';
import type { TableRecord } from './types';

type Fields = Record<string, unknown>;

const LINE_PROTOCOL = /^[^\s,={["#;]+(?:,[^\s,=]+=[^\s,]+)* [^\s,=]+=[^\s,]+(?:,[^\s,=]+=[^\s,]+)*(?: \d{9,19})?$/;

/** Throws for the line protocol of InfluxDB, which no table is. */
export function refuseLineProtocol(text: string): void {
  const first = text.split('\n', 1)[0] ?? '';
  if (!LINE_PROTOCOL.test(first.trim())) return;
  throw new Error(t('These are lines of InfluxDB. Send them to {path}, with a key.', { path: '/api/v2/write' }));
}

/** True if the text is JSON, or lines of it. */
export function isJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*[{[\]])/.test(text);
}

/** Reads a list of objects, an object that contains one, or lines of objects. Each name becomes a column. */
export function readJsonTable(text: string): Table {
  const objects = objectsIn(text);
  const names = [...new Set(objects.flatMap(({ fields }) => Object.keys(fields)))];
  const rows = objects.map(
    ({ fields, line }): TableRecord => ({ line, cells: names.map((name) => cellOf(fields[name])) }),
  );
  return { separator: JSON_FORMAT, records: [{ line: 1, cells: names }, ...rows], broken: new Set() };
}

interface Found {
  fields: Fields;
  line: number;
}

function objectsIn(text: string): Found[] {
  const whole = parsed(text);
  if (whole === undefined) return linesIn(text);
  const list = listIn(whole);
  if (!list) throw new Error(t('The JSON contains no list of objects with a date each.'));
  return list.map((fields, at) => ({ fields, line: at + 1 }));
}

function linesIn(text: string): Found[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const fields = parsed(line);
    if (!isFields(fields)) throw new Error(t('Line {line} is not valid JSON.', { line: String(at + 1) }));
    return [{ fields, line: at + 1 }];
  });
}

/** Long numbers keep their digits where the browser shows how they are written. */
function parsed(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source && /^-?\d{16,}$/.test(source)
      ? source
      : value;
  try {
    return JSON.parse(text, keep);
  } catch {
    return undefined;
  }
}

/** Objects may hold the list deeper: `{"data":[…]}`, as the platform answers. */
function listIn(value: unknown): Fields[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFields) ? value : undefined;
  if (!isFields(value)) return undefined;
  for (const inner of Object.values(value)) {
    const list = listIn(inner);
    if (list) return list;
  }
  return undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
