import { t } from '../language';
import { readBoolean, readJson } from './cells';
import type { Column } from './columns';
import { isGap } from './gaps';
import { type Layout, shortened } from './layout';
import { dateIn, type Moments } from './moments';
import { readQuantity } from './numbers';
import type { FilePoint, LeftOut, Reason, TableRecord, Understanding } from './types';
import type { Moment } from './zones';

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

export interface NotRead {
  leftOut: LeftOut[];
  cellsOut: Understanding['cellsOut'];
}

/** Collects the reasons for left-out lines. */
class Reasons {
  private readonly found = new Map<Reason, LeftOut & { examples: { line: number; text: string }[] }>();
  readonly cells = { count: 0, examples: [] as { line: number; text: string }[] };

  addCell(line: number, text: string): void {
    this.cells.count += 1;
    if (this.cells.examples.length < EXAMPLES) this.cells.examples.push({ line, text });
  }

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
export function readLines(rules: Rules): { lines: Line[] } & NotRead {
  const reasons = new Reasons();
  const lines: Line[] = [];
  const pass = new SecondPass();
  for (const record of rules.layout.rows) {
    try {
      lines.push(readLine(record, rules, reasons, pass));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reasons.add(error.reason, record.line, error.message);
    }
  }
  return { lines, leftOut: reasons.all, cellsOut: reasons.cells };
}

/** Clocks that go back show an hour twice. In ascending lines, the second time begins where the times step back. */
class SecondPass {
  private before: Moment | undefined;
  private isAscending = false;
  private isSecond = false;

  /** Call it for each line, in the order of the file. */
  dateOf(moment: Moment): Pick<Line, 'ms' | 'isTwice'> {
    const { ms, secondMs, shown } = moment;
    const { before } = this;
    this.before = moment;
    const isBack = before !== undefined && ms < before.ms;
    const areTwice = shown === 'twice' && before?.shown === 'twice';
    if (before && ms > before.ms) this.isAscending = true;
    else if (isBack && !areTwice) this.isAscending = false;
    this.isSecond = areTwice && this.isAscending && (this.isSecond || isBack);
    return this.isSecond && secondMs !== undefined
      ? { ms: secondMs, isTwice: false }
      : { ms, isTwice: shown === 'twice' };
  }
}

function readLine(record: TableRecord, rules: Rules, reasons: Reasons, pass: SecondPass): Line {
  const { layout, moments, cells, isJson, broken, lastMs } = rules;
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
  const { ms, isTwice } = pass.dateOf(moment);
  if (ms < 0) throw new Refused('old', shortened(date));
  const values = cells(record).filter(([column, cell]) => !isGap(cell) && !isFiller(column, cell));
  if (values.length === 0) throw new Refused('value', '');
  if (ms > lastMs) throw new Refused('ahead', shortened(date));
  const read = readValues(values, line, reasons);
  const fields = isJson ? Object.fromEntries(read) : undefined;
  const plain = isJson ? '' : String(read[0]?.[1]);
  if (isTooLong(fields ? JSON.stringify(fields) : plain)) throw new Refused('size', '');
  return { line, ms, fields, plain, isTwice };
}

function isFiller({ filler, mark }: Column, cell: string): boolean {
  return filler?.isGap === true && Number(readQuantity(cell, mark)?.number) === filler.value;
}

/** Leaves out cells that do not fit their column. Throws Refused if none does. */
function readValues(values: ReturnType<Cells>, line: number, reasons: Reasons): (readonly [string, unknown])[] {
  const refused: Refused[] = [];
  const read = values.flatMap(([column, cell]) => {
    try {
      return [[column.name.replace(/^value\./, ''), readCell(column, cell)] as const];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(error);
      return [];
    }
  });
  const [first] = refused;
  if (first && read.length === 0) throw first;
  for (const { message } of refused) reasons.addCell(line, message);
  return read;
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
  const number = readQuantity(cell, mark)?.number;
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
