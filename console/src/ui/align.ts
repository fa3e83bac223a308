import { LOCALE } from '../language';

const POINT = (0.5).toLocaleString(LOCALE).charAt(1);
const NUMBER = /^−?\d[\d.,'’\s]*$/;
/** The width of a decimal point, where digits have the width 1. */
const POINT_WIDTH = 0.5;

/** The shown parts of a value. */
interface Shown {
  value: string;
  unit: string;
}

/**
 * The room after each number, in widths of a digit. With it, the decimal points of all numbers of one unit are in a line,
 * without added zeros. Texts need no room.
 */
export function roomAfter(column: readonly Shown[]): number[] {
  const most = new Map<string, number>();
  for (const { value, unit } of column) most.set(unit, Math.max(most.get(unit) ?? 0, decimalsOf(value)));
  return column.map(({ value, unit }) => (NUMBER.test(value) ? (most.get(unit) ?? 0) - decimalsOf(value) : 0));
}

/** The same before numbers that begin at a line, in a font whose characters have one width. */
export function roomBefore(column: readonly string[]): number[] {
  const lengths = column.map((text) => (NUMBER.test(text) ? pointOf(text) : undefined));
  const most = lengths.reduce<number>((longest, length = 0) => Math.max(longest, length), 0);
  return lengths.map((length = most) => most - length);
}

function decimalsOf(text: string): number {
  const at = NUMBER.test(text) ? pointOf(text) : text.length;
  return at < text.length ? text.length - at - 1 + POINT_WIDTH : 0;
}

function pointOf(text: string): number {
  const at = text.indexOf(POINT);
  return at < 0 ? text.length : at;
}
