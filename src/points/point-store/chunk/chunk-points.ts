import { numberIn } from '../../../edge/number-in';
import { ByteReader } from './byte-columns';
import { type ChunkBytes, type ChunkPoint, PLACE, VALUES } from './chunk';
import { readDates, readDatesOfFirstCodec } from './dates';
import { NumberColumn } from './numbers';

/** Points of a chunk, in order of date. They stay columns until one is asked for. */
export class ChunkPoints {
  readonly dates: Float64Array;
  readonly heldBytes: number;
  private readonly values: Values;
  private readonly rest: Buffer;

  /** Throws RangeError for wrong bytes, some of them only when all points are read. */
  constructor({ columns, lowestOfDates }: ChunkBytes) {
    const from = new ByteReader(columns);
    const count = from.unsigned();
    this.dates = lowestOfDates ? readDates(from, lowestOfDates, count) : readDatesOfFirstCodec(from, count);
    this.values = readValues(from, count);
    this.rest = from.rest();
    this.heldBytes = columns.buffer.byteLength + this.dates.byteLength + this.values.heldBytes;
  }

  get length(): number {
    return this.dates.length;
  }

  dateMs(index: number): number {
    return this.dates[index] ?? 0;
  }

  value(index: number): string {
    return this.values.text(index);
  }

  number(index: number): number | undefined {
    return this.values.number(index);
  }

  mayBeObject(index: number): boolean {
    return this.values.startsWith(index, '{');
  }

  /** `text` has no digits and no sign. */
  is(index: number, text: string): boolean {
    return this.values.startsWith(index, text) && this.values.text(index) === text;
  }

  all(): ChunkPoint[] {
    const from = new ByteReader(this.rest);
    const delays = from.sums(this.length);
    if (!from.isAtEnd) throw new RangeError('bytes follow a chunk');
    return Array.from(this.dates, (dateMs, index) => ({
      dateMs,
      value: this.value(index),
      delayS: delays[index] ?? 0,
    }));
  }
}

interface Values {
  readonly heldBytes: number;
  text(index: number): string;
  number(index: number): number | undefined;
  startsWith(index: number, text: string): boolean;
}

function readValues(from: ByteReader, count: number): Values {
  const kind = from.unsigned();
  if (kind === VALUES.asTexts) return new Texts(from, count);
  if (kind === VALUES.inForms) return new Forms(from, count);
  throw new RangeError('the values of the chunk are of an unknown kind');
}

/** Texts stay bytes until they are asked for. */
class Texts implements Values {
  private readonly bytes: Buffer;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;

  constructor(from: ByteReader, count: number) {
    this.bytes = from.bytes;
    this.starts = new Uint32Array(count);
    this.ends = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      [this.starts[index], this.ends[index]] = from.skipText();
    }
  }

  get heldBytes(): number {
    return 2 * this.starts.byteLength;
  }

  text(index: number): string {
    return this.bytes.toString('utf8', this.starts[index], this.ends[index]);
  }

  number(index: number): number | undefined {
    return numberIn(this.text(index));
  }

  startsWith(index: number, text: string): boolean {
    return this.text(index).startsWith(text);
  }
}

interface Form {
  readonly size: number;
  readonly texts: readonly string[];
  readonly columns: NumberColumn[];
  /** Set for a form that is one number and nothing else. */
  plain?: NumberColumn;
  isNumeric: boolean;
}

/** `forms[of[i]]` is the form of value i, and `rows[i]` its row in the columns. */
class Forms implements Values {
  private readonly forms: Form[];
  private readonly of: Uint8Array;
  private readonly rows: Uint32Array;
  private readonly only: Form | undefined;

  constructor(from: ByteReader, count: number) {
    this.forms = Array.from({ length: from.unsigned() }, () => formOf(from.text()));
    if (this.forms.length === 1) this.only = this.forms[0];
    const indexed = this.only ? 0 : count;
    this.of = new Uint8Array(indexed);
    this.rows = new Uint32Array(indexed);
    const lengths = this.forms.map(() => count - indexed);
    for (let index = 0; index < indexed; index += 1) {
      const form = from.unsigned();
      const row = lengths[form];
      if (row === undefined) throw new RangeError('the chunk has no such form');
      this.of[index] = form;
      this.rows[index] = row;
      lengths[form] = row + 1;
    }
    this.forms.forEach((form, index) => {
      for (let at = 1; at < form.texts.length; at += 1) form.columns.push(new NumberColumn(from, lengths[index] ?? 0));
      if (form.texts.length === 2 && form.texts.every((text) => text === '')) form.plain = form.columns[0];
    });
  }

  get heldBytes(): number {
    let bytes = this.of.byteLength + this.rows.byteLength;
    for (const { size, columns } of this.forms) {
      bytes += columns.reduce((sum, column) => sum + column.heldBytes, 2 * size);
    }
    return bytes;
  }

  text(index: number): string {
    const form = this.formAt(index);
    const row = this.rowOf(index);
    if (form?.plain) return form.plain.text(row);
    let value = form?.texts[0] ?? '';
    form?.columns.forEach((column, at) => {
      value += column.text(row) + (form.texts[at + 1] ?? '');
    });
    return value;
  }

  number(index: number): number | undefined {
    const form = this.formAt(index);
    if (form?.plain) return form.plain.number(this.rowOf(index));
    return form?.isNumeric ? numberIn(this.text(index)) : undefined;
  }

  /** `text` has no digits and no sign, so no number starts with it. */
  startsWith(index: number, text: string): boolean {
    return this.formAt(index)?.texts[0]?.startsWith(text) ?? false;
  }

  private formAt(index: number): Form | undefined {
    return this.only ?? this.forms[this.of[index] ?? 0];
  }

  private rowOf(index: number): number {
    return this.only ? index : (this.rows[index] ?? 0);
  }
}

/** A form decides whether a value is a number, apart from the length of its numbers. */
function formOf(text: string): Form {
  return {
    size: text.length,
    texts: text.split(PLACE),
    columns: [],
    isNumeric: numberIn(text.replaceAll(PLACE, '1')) !== undefined,
  };
}
