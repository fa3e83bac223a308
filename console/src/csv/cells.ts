import { isGap } from './gaps';
import { type Mark, readQuantity } from './numbers';
import type { Kind, Role } from './types';

/** A code, not a quantity: 007. */
const CODE = /^0\d+$/;

const MOST_DIGITS = 15;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  '0': false,
};

/** The boolean that a cell spells; undefined if it spells none. */
export function readBoolean(cell: string): boolean | undefined {
  return BOOLEANS[cell.trim().toLowerCase()];
}

export function readJson(cell: string): object | undefined {
  if (!/^\s*[[{]/.test(cell)) return undefined;
  try {
    return Object(JSON.parse(cell));
  } catch {
    return undefined;
  }
}

/** A column of numbers may have this share of other cells: they are left out, and named. */
const MOST_ODD = 0.25;
/** In a file for a sensor of numbers. */
const MOST_ODD_OF_NUMBERS = 0.5;

export interface FoundCell {
  line: number;
  cell: string;
}

/** Inspects all cells of a column, one after the other, to find its role. */
export class ColumnSigns {
  filled = 0;
  first = '';
  private readonly numbers = { '.': new NumberSigns('.'), ',': new NumberSigns(',') };
  private booleans = 0;
  private structures = 0;
  private codes = 0;
  private firstText: FoundCell | undefined;
  /** Cells that can only be read with this mark. */
  private readonly only = { '.': 0, ',': 0 };
  private readonly texts = new Set<string>();

  /** `isComma`: true if commas do not separate the cells. */
  constructor(private readonly isComma: boolean) {}

  add(cell: string, line: number): void {
    if (isGap(cell)) return;
    if (this.filled === 0) this.first = cell;
    this.filled += 1;
    if (this.texts.size <= MOST_NAMES) this.texts.add(cell.trim());
    const isPoint = this.numbers['.'].add(cell);
    const isComma = this.numbers[','].add(cell);
    if (isPoint && !isComma) this.only['.'] += 1;
    if (isComma && !isPoint) this.only[','] += 1;
    if (isPoint && isComma && this.isComma && cell.includes(',')) this.only[','] += 1;
    this.codes += Number(CODE.test(cell.trim()) || digitsIn(cell) > MOST_DIGITS);
    this.booleans += Number(/^\s*(?:true|false)\s*$/i.test(cell));
    this.structures += Number(readJson(cell) !== undefined);
    if (!isPoint && !isComma) this.firstText ??= { line, cell };
  }

  /** The decimal mark that the cells of this column prove; undefined if both marks fit, or there are no numbers. */
  get mark(): Mark | undefined {
    const { only, numbers } = this;
    const isProven = (mark: Mark, other: Mark) =>
      only[mark] > 0 && only[other] === 0 && this.isMostly(numbers[mark].count, MOST_ODD);
    return isProven(',', '.') ? ',' : isProven('.', ',') ? '.' : undefined;
  }

  /** The distinct texts; undefined if they are too many to be names. */
  get names(): readonly string[] | undefined {
    return this.texts.size > MOST_NAMES ? undefined : [...this.texts];
  }

  numbersWith(mark: Mark): NumberSigns {
    return this.numbers[mark];
  }

  /** The role that fits the cells; `ofFile` is the mark that other columns prove, and `kind` that of the sensor. */
  roleWith(ofFile: Mark | undefined, kind?: Kind): Role {
    if (this.filled === 0) return 'unused';
    if (this.isMostly(this.booleans, MOST_ODD)) return 'boolean';
    if (this.isMostly(this.structures, MOST_ODD)) return 'json';
    if (this.codes > 0) return 'text';
    const { count, unit } = this.numbers[this.mark ?? ofFile ?? '.'];
    const most = kind === 'float' ? MOST_ODD_OF_NUMBERS : MOST_ODD;
    return unit !== undefined && this.isMostly(count, most) ? 'number' : 'text';
  }

  /** The first cell that is no number, in a column of which most cells are. */
  get oddOne(): FoundCell | undefined {
    const { count } = this.numbers[this.mark ?? '.'];
    return count > this.filled / 2 && count < this.filled ? this.firstText : undefined;
  }

  /** True if most cells are numbers, but not of one unit. */
  get areOfSeveralUnits(): boolean {
    const { count, unit } = this.numbers[this.mark ?? '.'];
    return unit === undefined && this.isMostly(count, MOST_ODD);
  }

  private isMostly(count: number, mostOdd: number): boolean {
    return count > 0 && this.filled - count <= mostOdd * this.filled;
  }
}

/** A number that comes once is a measurement, however far it is. */
const LEAST_REPEATS = 2;
/** How many times farther a number is from the others than these are from each other. */
const FAR = 3;

/** The end of a column of numbers on one side. */
class End {
  value: number | undefined;
  count = 0;
  /** The next one, on the way to the others. */
  next: number | undefined;

  constructor(private readonly isFarther: (one: number, other: number) => boolean) {}

  add(value: number): void {
    if (value === this.value) this.count += 1;
    else if (this.value === undefined || this.isFarther(value, this.value)) {
      [this.next, this.value, this.count] = [this.value, value, 1];
    } else if (this.next === undefined || this.isFarther(value, this.next)) this.next = value;
  }
}

/** What the numbers of a column have in common, read with one decimal mark. */
export class NumberSigns {
  count = 0;
  private readonly units = new Set<string>();
  private readonly low = new End((one, other) => one < other);
  private readonly high = new End((one, other) => one > other);

  constructor(private readonly mark: Mark) {}

  add(cell: string): boolean {
    const found = readQuantity(cell, this.mark);
    if (!found) return false;
    this.count += 1;
    if (this.units.size < 2) this.units.add(found.unit);
    const value = Number(found.number);
    this.low.add(value);
    this.high.add(value);
    return true;
  }

  /** The unit of all numbers, empty for none; undefined if they have several. */
  get unit(): string | undefined {
    return this.units.size > 1 ? undefined : ([...this.units][0] ?? '');
  }

  /** A number far from all others that comes again and again, such as -999 for no value. Zero is a usual value. */
  get filler(): { value: number; count: number } | undefined {
    const { low, high } = this;
    for (const [end, other] of [
      [low, high],
      [high, low],
    ] as const) {
      const { value, next, count } = end;
      if (value === undefined || next === undefined || other.value === undefined || count < LEAST_REPEATS) continue;
      const spread = Math.abs(other.value - next);
      if (value !== 0 && spread > 0 && Math.abs(value - next) > FAR * spread && count < this.count)
        return { value, count };
    }
    return undefined;
  }
}

const MOST_NAMES = 300;

/** The digits of a whole number; other numbers are rounded as usual. */
function digitsIn(cell: string): number {
  const text = cell.trim().replace(/^[+-]/, '');
  return /^\d+$/.test(text) ? text.length : 0;
}
