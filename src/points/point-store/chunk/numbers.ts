import type { ByteReader, ByteWriter } from './byte-columns';

/** Below this, twice the difference of two numbers is exact in a double. */
const BELOW = 1e15;
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** -21.50 has the digits -2150, and 2 decimals. */
export interface Decimal {
  digits: number;
  decimals: number;
}

/** Undefined unless `printDecimal` prints the text again. */
export function readDecimal(text: string): Decimal | undefined {
  const point = text.indexOf('.');
  const plain = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  const decimal = { digits: Number(plain), decimals: point < 0 ? 0 : text.length - point - 1 };
  return Math.abs(decimal.digits) < BELOW && printDecimal(decimal) === text ? decimal : undefined;
}

function printDecimal({ digits, decimals }: Decimal): string {
  if (decimals === 0) return String(digits);
  const sign = digits < 0 ? '-' : '';
  const all = String(Math.abs(digits)).padStart(decimals + 1, '0');
  return `${sign}${all.slice(0, -decimals)}.${all.slice(-decimals)}`;
}

const ALL_EQUAL = 0;
const SHORTEST = 1;
const EACH = 2;

/**
 * Writes differences of integers: numbers times one power of ten. Without a common one, decimals have their own column.
 */
export function writeNumbers(to: ByteWriter, column: readonly Decimal[]): void {
  const most = column.reduce((soFar, { decimals }) => Math.max(soFar, decimals), 0);
  const kind = kindOf(column, most);
  to.unsigned(kind);
  if (kind === EACH) for (const { decimals } of column) to.unsigned(decimals);
  else to.unsigned(most);
  let before = 0;
  for (const one of column) {
    const value = kind === EACH ? one.digits : scaled(one, most);
    to.signed(value - before);
    before = value;
  }
}

export class NumberColumn {
  private readonly isShortest: boolean;
  private readonly most: number;
  private readonly each: Float64Array | undefined;
  private readonly digits: Float64Array;

  constructor(from: ByteReader, count: number) {
    const kind = from.unsigned();
    if (kind > EACH) throw new RangeError('the numbers of the chunk are of an unknown kind');
    this.isShortest = kind === SHORTEST;
    this.each = kind === EACH ? from.unsignedColumn(count) : undefined;
    this.most = kind === EACH ? 0 : from.unsigned();
    this.digits = from.sums(count);
  }

  get heldBytes(): number {
    return this.digits.byteLength + (this.each?.byteLength ?? 0);
  }

  text(row: number): string {
    const decimal = { digits: this.digits[row] ?? 0, decimals: this.decimals(row) };
    return printDecimal(this.isShortest ? shortest(decimal) : decimal);
  }

  number(row: number): number {
    const power = POWERS[this.decimals(row)];
    // Both are exact, so the quotient is the double that is nearest to the decimal.
    return power === undefined ? Number(this.text(row)) : (this.digits[row] ?? 0) / power;
  }

  private decimals(row: number): number {
    return this.each?.[row] ?? this.most;
  }
}

function kindOf(column: readonly Decimal[], most: number): number {
  if (column.every(({ decimals }) => decimals === most)) return ALL_EQUAL;
  const isShortest = column.every((one) => one.decimals === 0 || one.digits % 10 !== 0);
  return isShortest && column.every((one) => Math.abs(scaled(one, most)) < BELOW) ? SHORTEST : EACH;
}

function scaled({ digits, decimals }: Decimal, most: number): number {
  return digits * 10 ** (most - decimals);
}

function shortest({ digits, decimals }: Decimal): Decimal {
  let [short, left] = [digits, decimals];
  while (left > 0 && short % 10 === 0) {
    short /= 10;
    left -= 1;
  }
  return { digits: short, decimals: left };
}
