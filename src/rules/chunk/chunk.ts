import { ByteReader, ByteWriter } from './byte-columns';
import { type Decimal, printDecimal, readDecimal, readNumbers, writeNumbers } from './numbers';

/** A point as a chunk stores it. `delayS`: the time from its date to its arrival. */
export interface ChunkPoint {
  dateMs: number;
  value: string;
  delayS: number;
}

/** Maximum number of different forms in a chunk. With more, the values are stored as texts. */
const MOST_FORMS = 64;
const MOST_NUMBERS_IN_A_VALUE = 32;
/** A run of digits, perhaps with a sign and decimals. */
const NUMBER = /-?\d+(?:\.\d+)?/g;
/** Stands for a number in a form; values that contain it are stored as texts. */
const PLACE = '\u0000';
const AS_TEXTS = 0;
const IN_FORMS = 1;

/** A value apart from its numbers, and its numbers: `{"t":21.5}` has the form `{"t":\0}`. */
interface Parts {
  form: string;
  numbers: Decimal[];
}

/**
 * Writes points, in the order of their dates, as columns: dates as differences of differences, delays as differences,
 * values as their forms and a column for each number of a form. The bytes repeat themselves; compress them.
 */
export function writeChunk(points: readonly ChunkPoint[]): Buffer {
  const to = new ByteWriter();
  to.unsigned(points.length);
  writeDates(to, points);
  let before = 0;
  for (const { delayS } of points) {
    to.signed(delayS - before);
    before = delayS;
  }
  writeValues(
    to,
    points.map(({ value }) => value),
  );
  return to.end();
}

/** Reads what `writeChunk` wrote, byte for byte. Throws RangeError for other bytes. */
export function readChunk(bytes: Buffer): ChunkPoint[] {
  const from = new ByteReader(bytes);
  const count = from.unsigned();
  if (count > bytes.length) throw new RangeError('the bytes are no chunk');
  const dates = readDates(from, count);
  let delayS = 0;
  const delays = Array.from({ length: count }, () => {
    delayS += from.signed();
    return delayS;
  });
  const values = readValues(from, count);
  if (!from.isAtEnd) throw new RangeError('bytes follow a chunk');
  return dates.map((dateMs, index) => ({ dateMs, value: values[index] ?? '', delayS: delays[index] ?? 0 }));
}

function writeDates(to: ByteWriter, points: readonly ChunkPoint[]): void {
  let [before, step] = [0, 0];
  for (const { dateMs } of points) {
    to.signed(dateMs - before - step);
    step = before === 0 ? 0 : dateMs - before;
    before = dateMs;
  }
}

function readDates(from: ByteReader, count: number): number[] {
  let [before, step] = [0, 0];
  return Array.from({ length: count }, () => {
    const dateMs = before + step + from.signed();
    step = before === 0 ? 0 : dateMs - before;
    before = dateMs;
    return dateMs;
  });
}

function writeValues(to: ByteWriter, values: readonly string[]): void {
  const parts = values.map(partsOf);
  const forms = new Map<string, Decimal[][]>();
  const isTooVaried = !parts.every((one) => one && formOf(forms, one.form) && forms.size <= MOST_FORMS);
  if (isTooVaried) {
    to.unsigned(AS_TEXTS);
    for (const value of values) to.text(value);
    return;
  }
  to.unsigned(IN_FORMS);
  const names = [...forms.keys()];
  to.unsigned(names.length);
  for (const name of names) to.text(name);
  const indexes = new Map(names.map((name, index) => [name, index]));
  for (const one of parts) if (one) to.unsigned(indexes.get(one.form) ?? 0);
  for (const one of parts) if (one) forms.get(one.form)?.push(one.numbers);
  for (const rows of forms.values()) {
    const width = rows[0]?.length ?? 0;
    for (let at = 0; at < width; at += 1)
      writeNumbers(
        to,
        rows.flatMap((row) => row[at] ?? []),
      );
  }
}

function formOf(forms: Map<string, Decimal[][]>, form: string): Decimal[][] {
  const known = forms.get(form) ?? [];
  forms.set(form, known);
  return known;
}

function readValues(from: ByteReader, count: number): string[] {
  if (from.unsigned() === AS_TEXTS) return Array.from({ length: count }, () => from.text());
  const forms = Array.from({ length: from.unsigned() }, () => from.text().split(PLACE));
  const indexes = Array.from({ length: count }, () => from.unsigned());
  const counts = forms.map(() => 0);
  for (const index of indexes) counts[index] = (counts[index] ?? 0) + 1;
  const columns = forms.map((form, index) => form.slice(1).map(() => readNumbers(from, counts[index] ?? 0)));
  const next = forms.map(() => 0);
  return indexes.map((index) => {
    const row = next[index] ?? 0;
    next[index] = row + 1;
    const [first = '', ...others] = forms[index] ?? [];
    let value = first;
    others.forEach((text, at) => {
      const number = columns[index]?.[at]?.[row];
      value += (number ? printDecimal(number) : '') + text;
    });
    return value;
  });
}

/** Undefined for a value that must be stored as a text. */
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
