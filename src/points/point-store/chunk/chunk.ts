import { ByteWriter } from './byte-columns';
import { writeDates } from './dates';
import { type Decimal, readDecimal, writeNumbers } from './numbers';

/** `delayS`: seconds from the date to the arrival. */
export interface ChunkPoint {
  dateMs: number;
  value: string;
  delayS: number;
}

/** With more different forms, a chunk stores its values as texts. */
const MOST_FORMS = 64;
const MOST_NUMBERS_IN_A_VALUE = 32;
const NUMBER = /-?\d+(?:\.\d+)?/g;
/** Stands for a number in a form; values that contain it are stored as texts. */
export const PLACE = '\u0000';
export const VALUES = { asTexts: 0, inForms: 1 } as const;

/** `{"t":21.5}` has the form `{"t":\0}`. */
interface Parts {
  form: string;
  numbers: Decimal[];
}

/** Two parts, to be compressed apart. */
export interface ChunkBytes {
  columns: Buffer;
  /** Lowest bytes of the differences of dates. The first codec had none. */
  lowestOfDates?: Buffer;
}

/**
 * Writes points, in order of date, as columns of differences, forms and their numbers. The bytes repeat themselves;
 * compress them.
 */
export function writeChunk(points: readonly ChunkPoint[]): Required<ChunkBytes> {
  const to = new ByteWriter();
  to.unsigned(points.length);
  const lowestOfDates = writeDates(
    to,
    points.map(({ dateMs }) => dateMs),
  );
  writeValues(
    to,
    points.map(({ value }) => value),
  );
  writeDelays(to, points);
  return { columns: to.end(), lowestOfDates };
}

function writeDelays(to: ByteWriter, points: readonly ChunkPoint[]): void {
  let before = 0;
  for (const { delayS } of points) {
    to.signed(delayS - before);
    before = delayS;
  }
}

function writeValues(to: ByteWriter, values: readonly string[]): void {
  const parts = values.map(partsOf);
  const forms = new Map<string, Decimal[][]>();
  const isTooVaried = !parts.every((one) => one && formOf(forms, one.form) && forms.size <= MOST_FORMS);
  if (isTooVaried) {
    to.unsigned(VALUES.asTexts);
    for (const value of values) to.text(value);
    return;
  }
  to.unsigned(VALUES.inForms);
  writeForms(to, parts, forms);
}

function writeForms(to: ByteWriter, parts: readonly (Parts | undefined)[], forms: Map<string, Decimal[][]>): void {
  const names = [...forms.keys()];
  to.unsigned(names.length);
  for (const name of names) to.text(name);
  const indexes = new Map(names.map((name, index) => [name, index]));
  for (const one of parts) {
    if (!one) continue;
    if (names.length > 1) to.unsigned(indexes.get(one.form) ?? 0);
    forms.get(one.form)?.push(one.numbers);
  }
  for (const rows of forms.values()) {
    const width = rows[0]?.length ?? 0;
    for (let at = 0; at < width; at += 1) writeNumbers(to, columnAt(rows, at));
  }
}

function columnAt(rows: readonly Decimal[][], at: number): Decimal[] {
  const column: Decimal[] = [];
  for (const row of rows) {
    const number = row[at];
    if (number) column.push(number);
  }
  return column;
}

function formOf(forms: Map<string, Decimal[][]>, form: string): Decimal[][] {
  const known = forms.get(form) ?? [];
  forms.set(form, known);
  return known;
}

function partsOf(value: string): Parts | undefined {
  if (value.includes(PLACE)) return undefined;
  const numbers: Decimal[] = [];
  const form = value.replace(NUMBER, (text) => {
    const decimal = numbers.length < MOST_NUMBERS_IN_A_VALUE ? readDecimal(text) : undefined;
    if (!decimal) return text;
    numbers.push(decimal);
    return PLACE;
  });
  return { form, numbers };
}
