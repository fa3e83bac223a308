import { t } from '../language';
import { isGap, readBoolean, readJson, readNumber } from './cells';
import type { Column } from './columns';
import { type Layout, shortened } from './layout';
import { dateIn, type Moments } from './moments';
import type { FilePoint, LeftOut, Reason, TableRecord } from './types';

/** A line that can be stored. */
export interface Line {
  line: number;
  ms: number;
  fields: Readonly<Record<string, unknown>> | undefined;
  /** Value for a sensor whose values are not JSON. */
  plain: string;
  /** True if local clocks show its time twice. */
  isTwice: boolean;
}

/** The cells of a record that hold values, each with its column. */
export type Cells = (record: TableRecord) => readonly (readonly [column: Column, cell: string])[];

interface Rules {
  layout: Layout;
  moments: Moments;
  cells: Cells;
  /** True if the values are JSON with fields. */
  isJson: boolean;
  broken: ReadonlySet<number>;
  /** Later lines are left out. */
  lastMs: number;
}

const EXAMPLES = 5;

/** Collects the reasons for left-out lines. */
class Reasons {
  private readonly found = new Map<Reason, LeftOut & { examples: { line: number; text: string }[] }>();

  add(reason: Reason, line: number, text: string): void {
    const one = this.found.get(reason) ?? { reason, count: 0, examples: [] };
    this.found.set(reason, one);
    one.count += 1;
    if (one.examples.length < EXAMPLES) one.examples.push({ line, text });
  }

  get all(): LeftOut[] {
    return [...this.found.values()];
  }
}

/** The reason why a line is left out. */
class Refused extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
}

/** Reads all lines; each is either in `lines` or counted in `leftOut`. */
export function readLines(rules: Rules): { lines: Line[]; leftOut: LeftOut[] } {
  const reasons = new Reasons();
  const lines: Line[] = [];
  for (const record of rules.layout.rows) {
    try {
      lines.push(readLine(record, rules));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reasons.add(error.reason, record.line, error.message);
    }
  }
  return { lines, leftOut: reasons.all };
}

function readLine(record: TableRecord, { layout, moments, cells, isJson, broken, lastMs }: Rules): Line {
  const { line } = record;
  const { length } = layout.names;
  if (broken.has(line)) throw new Refused('quote', t('a quotation mark is in the wrong place, or is never closed'));
  if (record.cells.slice(length).some((cell) => cell.trim() !== '')) {
    throw new Refused('cells', t('{n} cells, but {columns} columns', { n: record.cells.length, columns: length }));
  }
  const moment = moments.read(record);
  const date = dateIn(record, layout);
  if (moment === undefined) throw new Refused('date', t('“{cell}” is not a date', { cell: shortened(date) }));
  if (moment.shown === 'never') throw new Refused('never', shortened(date));
  const { ms } = moment;
  if (ms < 0) throw new Refused('old', shortened(date));
  const values = cells(record).filter(([, cell]) => !isGap(cell));
  if (values.length === 0) throw new Refused('value', '');
  if (ms > lastMs) throw new Refused('ahead', shortened(date));
  const read = values.map(([column, cell]) => [column.name.replace(/^value\./, ''), readCell(column, cell)] as const);
  const fields = isJson ? Object.fromEntries(read) : undefined;
  const plain = isJson ? '' : String(read[0]?.[1]);
  if (isTooLong(fields ? JSON.stringify(fields) : plain)) throw new Refused('size', '');
  return { line, ms, fields, plain, isTwice: moment.shown === 'twice' };
}

/** Maximum size of one value on the platform, in bytes. */
const MOST_BYTES = 65_535;

function isTooLong(text: string): boolean {
  return text.length * 3 > MOST_BYTES && new TextEncoder().encode(text).length > MOST_BYTES;
}

/** A whole number with more digits would be rounded. */
const MANY_DIGITS = /^[+-]?\d{16,}$/;

/** Reads a cell by the role of its column; throws Refused if it does not fit. */
export function readCell({ role, mark }: Pick<Column, 'role' | 'mark'>, cell: string): unknown {
  if (role === 'text') return cell.trim();
  if (role === 'boolean') {
    const found = readBoolean(cell);
    if (found === undefined)
      throw new Refused('kind', t('“{cell}” is neither true nor false', { cell: shortened(cell) }));
    return found;
  }
  if (role === 'json') {
    if (readJson(cell) === undefined)
      throw new Refused('kind', t('“{cell}” is not valid JSON', { cell: shortened(cell) }));
    return new JsonText(cell.trim());
  }
  const number = readNumber(cell, mark);
  if (number === undefined) throw new Refused('kind', t('“{cell}” is not a number', { cell: shortened(cell) }));
  return MANY_DIGITS.test(number) ? number : Number(number);
}

/** JSON that is sent unchanged as a whole value, and as an object in a field. */
class JsonText {
  constructor(private readonly text: string) {}
  toString(): string {
    return this.text;
  }
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A point for the upload, in the API's form. */
export function pointOf({ ms, fields, plain }: Pick<Line, 'ms' | 'fields' | 'plain'>): FilePoint {
  return { ms, value: fields ? JSON.parse(JSON.stringify(fields)) : plain };
}
