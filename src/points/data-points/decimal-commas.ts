import { readNumber } from '../../language/sensor-value';

const WITH_COMMA = /^\s*[+-]?\d+,\d+(?:[eE][+-]?\d+)?\s*$/;
const WITH_POINT = /^\s*[+-]?\d+\.\d+(?:[eE][+-]?\d+)?\s*$/;
/** 1.013 may be 1013 where numbers have decimal commas. */
const MAY_BE_GROUPED = /^\s*[+-]?\d{1,3}\.\d{3}\s*$/;

export interface DecimalCells {
  cells: ReadonlyMap<string, string>;
  value?: unknown;
}

interface Line {
  line: number;
  decimals?: DecimalCells;
}

/** True for a number with decimals, after a comma or a point. */
export function hasDecimals(cell: string): boolean {
  return WITH_COMMA.test(cell) || WITH_POINT.test(cell);
}

/** Returns other cells unchanged. */
export function withDecimalPoint(cell: string): string {
  return WITH_COMMA.test(cell) ? cell.replace(',', '.') : cell;
}

/** Returns other cells unchanged. */
export function withDecimalComma(cell: string): string {
  return WITH_POINT.test(cell) && readNumber(cell) !== null ? cell.replace('.', ',') : cell;
}

/** A column has both marks, or a point may group digits because commas are the decimal marks. */
export function findAmbiguity(lines: readonly Line[]): { line: number; why: string } | undefined {
  const cells = lines.flatMap(({ line, decimals }) =>
    [...(decimals?.cells ?? [])].map(([column, cell]) => ({ line, column, cell, isComma: WITH_COMMA.test(cell) })),
  );
  const comma = cells.find(({ isComma }) => isComma);
  if (!comma) return undefined;
  const marks = new Map<string, (typeof cells)[number]>();
  for (const cell of cells) {
    const before = marks.get(cell.column) ?? cell;
    marks.set(cell.column, before);
    if (before.isComma !== cell.isComma) return twoMarks(cell, before);
    if (!cell.isComma && MAY_BE_GROUPED.test(cell.cell)) return twoMarks(cell, comma);
  }
  return undefined;
}

function twoMarks(one: { line: number; column: string; cell: string }, other: typeof one) {
  const why = `has ${one.cell.trim()} as ${one.column}, and line ${other.line} has ${other.cell.trim()}`;
  return { line: one.line, why: `${why}: write all numbers with the same decimal mark, and without groups of digits` };
}
