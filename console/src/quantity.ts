import { LOCALE } from './language';

/** Keeps a number and its unit in one line. */
const NARROW = '\u00a0';

type Writer = (number: number) => string;

/** Writes numbers for people: with a minus sign instead of a hyphen, and a rounded zero without a sign. */
export function numberFormat(options: Intl.NumberFormatOptions): Writer {
  const format = new Intl.NumberFormat(LOCALE, options);
  return (number) =>
    format
      .format(number)
      .replace(/^-(?=[0.,]+$)/, '')
      .replaceAll('-', '−');
}

/** Units that take the prefixes of the SI. */
const METRIC = new Set(['bit', 'bit/s', 'bps', 'W', 'Wh', 'VA', 'VAh', 'var', 'V', 'A', 'N', 'J', 'Hz', 'Ω', 'Bq']);
const BYTES = /^(?:B|Bytes?|bytes?)(\/s)?$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const SMALLEST_SCALED = 10_000;
const SMALLEST_WITHOUT_UNIT = 1_000_000;

/** Numbers are divided by `factor`, before the prefixed unit. */
interface Scale {
  factor: number;
  prefix: string;
  unit: string;
}

/** The scale for numbers up to this size in a unit. Bytes have the prefixes of IEC 80000-13, Ki for 1,024. */
function scaleFor(largest: number, unit: string, isMetric = METRIC.has(unit)): Scale {
  const bytes = BYTES.exec(unit);
  const whole = { factor: 1, prefix: '', unit };
  if (!(bytes || isMetric) || !(largest >= SMALLEST_SCALED)) return whole;
  const [base, prefixes] = bytes ? [1_024, BINARY] : [1_000, DECIMAL];
  const power = Math.min(prefixes.length - 1, Math.floor(Math.log2(largest) / Math.log2(base)));
  const prefix = prefixes[power] ?? '';
  return { factor: base ** power, prefix, unit: prefix + (bytes ? `B${bytes[1] ?? ''}` : unit) };
}

export function isBinary(unit: string): boolean {
  return BYTES.test(unit);
}

/** Significant digits of a number before a prefix: it is visibly rounded. */
const SCALED_DIGITS = 4;
const scaled = numberFormat({ maximumSignificantDigits: SCALED_DIGITS });
/** As many digits as a double has for certain. */
const exact = numberFormat({ maximumSignificantDigits: 15 });
const rounded = numberFormat({ maximumSignificantDigits: 6 });
const huge = numberFormat({ notation: 'scientific', maximumSignificantDigits: 6 });
const LARGEST_WHOLE = 1e15;
const MANY_DIGITS = 1e6;

/** Whole numbers have all digits; others are rounded to six digits, or to whole numbers. */
export function formatNumber(number: number): string {
  const size = Math.abs(number);
  if (size >= LARGEST_WHOLE) return huge(number);
  return size >= MANY_DIGITS ? exact(Math.round(number)) : rounded(number);
}

/** All digits of a stored number, without the noise of 32-bit devices (`31.200000762939453`). */
export function formatStored(number: number): string {
  const short = Number(number.toPrecision(7));
  return exact(Math.fround(short) === number ? short : number);
}

/** Formats numbers of a range, to a thousandth of the range. */
export function formatWithin(number: number, { low, high }: Bounds): string {
  if (!(high > low)) return formatNumber(number);
  return withDecimals(Math.min(6, Math.max(0, 3 - Math.ceil(Math.log10(high - low)))), 0)(number);
}

interface Bounds {
  low: number;
  high: number;
}

/** A number apart from its unit, which has a prefix if the number is large. */
export function quantityParts(number: number, unit: string): { value: string; unit: string } {
  const scale = scaleFor(Math.abs(number), unit);
  const value = scale.factor === 1 ? formatNumber(number) : scaled(number / scale.factor);
  return { value, unit: scale.unit };
}

/** A number and its unit, in one line. */
export function quantity(number: number, unit: string): string {
  const { value, unit: shown } = quantityParts(number, unit);
  return joined(value, shown);
}

/** A text of a number and its unit, in one line. */
export function joined(value: string, unit: string): string {
  return unit === '' ? value : `${value}${NARROW}${unit}`;
}

/** More digits are those of a computed number, which nobody reads. */
const MOST_STORED = 8;

/** Writes numbers of a range with one unit: `stored` with its digits, `within` to a thousandth of the range. */
export function writerFor(unit: string, range: Bounds) {
  const scale = scaleFor(Math.max(Math.abs(range.low), Math.abs(range.high)), unit);
  const write = (number: number) => scaled(number / scale.factor);
  if (scale.factor > 1) return { unit: scale.unit, stored: write, within: write };
  const within = (number: number) => formatWithin(number, range);
  const stored = (number: number) => {
    const text = formatStored(number);
    return !Number.isInteger(number) && text.length > MOST_STORED ? within(number) : text;
  };
  return { unit, stored, within };
}

/** Texts for the ticks of a scale: one prefix, and the decimals of the step. */
export function tickTexts(numbers: readonly number[], step: number, unit: string): string[] {
  const largest = numbers.reduce((size, number) => Math.max(size, Math.abs(number)), 0);
  const isLarge = unit === '' && largest >= SMALLEST_WITHOUT_UNIT;
  const { factor, prefix } = scaleFor(largest, unit, isLarge || METRIC.has(unit));
  const decimals = decimalsOf(step / factor);
  const write = withDecimals(decimals, decimals);
  return numbers.map((number) => joined(write(number / factor), number === 0 ? '' : prefix));
}

/** Writes all numbers of a column with the decimals of the most precise one, at most `most`. */
export function columnWriter(numbers: readonly number[], most: number): Writer {
  const needed = numbers.map((number) => (number.toFixed(most).split('.')[1] ?? '').replace(/0+$/, '').length);
  const decimals = Math.max(0, ...needed);
  return withDecimals(decimals, decimals);
}

const COLUMN_DECIMALS = 2;
const LARGEST_ERROR = 0.005;

/**
 * Writes the numbers of a column apart from their units. Numbers of a unit have the same decimals, except small ones
 * whose rounding would show.
 */
export function columnParts(all: readonly (readonly [number: number, unit: string])[]): typeof quantityParts {
  const numbersOf = (unit: string) => all.flatMap(([number, other]) => (other === unit ? number : []));
  const units = new Set(all.map(([, unit]) => unit));
  const writers = new Map([...units].map((unit) => [unit, columnWriter(numbersOf(unit), COLUMN_DECIMALS)]));
  return (number, unit) => {
    const parts = quantityParts(number, unit);
    const size = Math.abs(number);
    const isRough = Math.abs(size - Number(size.toFixed(COLUMN_DECIMALS))) > LARGEST_ERROR * size;
    if (parts.unit !== unit || size >= MANY_DIGITS || isRough) return parts;
    return { value: writers.get(unit)?.(number) ?? parts.value, unit };
  };
}

/**
 * The same for numbers that stand apart: each has its own decimals, at least one if another number of its unit has some.
 */
export function apartParts(all: Parameters<typeof columnParts>[0]): typeof quantityParts {
  const fine = new Set(all.flatMap(([number, unit]) => (Number.isInteger(number) ? [] : unit)));
  return (number, unit) => {
    const own = columnParts([[number, unit]])(number, unit);
    const isBare = Number.isInteger(number) && own.unit === unit && Math.abs(number) < MANY_DIGITS;
    return isBare && fine.has(unit) ? { value: withDecimals(1, 1)(number), unit } : own;
  };
}

const MOST_DECIMALS = 12;

/** The decimals with which a step is exact. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals += 1) {
    const shifted = step * 10 ** decimals;
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return decimals;
  }
  return MOST_DECIMALS;
}

function withDecimals(most: number, least: number): Writer {
  return numberFormat({ minimumFractionDigits: least, maximumFractionDigits: most });
}
