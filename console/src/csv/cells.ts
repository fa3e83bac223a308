import type { Role } from './types';

const GAP = /^(?:-{1,3}|#?n\/?a|[-+]?nan|null|none|unavailable|unknown)?$/i;

/** True if a cell means that there is no value. */
export function isGap(cell: string): boolean {
  return GAP.test(cell.trim());
}

/** The decimal mark of a column of numbers. */
export type Mark = '.' | ',';

const POINT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const POINT_GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const COMMA = /^[+-]?\d+(?:,\d+)?(?:e[+-]?\d+)?$/i;
const COMMA_GROUPED = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;
/** A code, not a quantity: 007. */
const CODE = /^0\d+$/;

const MOST_DIGITS = 15;

/** The text of a number with a decimal point and without groups; undefined if the cell is not a number. */
export function readNumber(cell: string, mark: Mark): string | undefined {
  const text = cell.trim();
  if (mark === '.') return POINT.test(text) ? text : POINT_GROUPED.test(text) ? text.replaceAll(',', '') : undefined;
  if (COMMA.test(text)) return text.replace(',', '.');
  return COMMA_GROUPED.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;
}

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

/** The object or list that a cell spells. */
export function readJson(cell: string): object | undefined {
  if (!/^\s*[[{]/.test(cell)) return undefined;
  try {
    return Object(JSON.parse(cell));
  } catch {
    return undefined;
  }
}

/** Inspects all cells of a column, one after the other, to find its role. */
export class ColumnSigns {
  filled = 0;
  first = '';
  private points = 0;
  private commas = 0;
  private booleans = 0;
  private structures = 0;
  private codes = 0;
  /** The first cell that is not a number, and its line. */
  private firstText: { line: number; cell: string } | undefined;
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
    const isPoint = readNumber(cell, '.') !== undefined;
    const isComma = readNumber(cell, ',') !== undefined;
    this.points += Number(isPoint);
    this.commas += Number(isComma);
    if (isPoint && !isComma) this.only['.'] += 1;
    if (isComma && !isPoint) this.only[','] += 1;
    if (isPoint && isComma && this.isComma && cell.includes(',')) this.only[','] += 1;
    this.codes += Number(CODE.test(cell.trim()) || digitsIn(cell) > MOST_DIGITS);
    this.booleans += Number(/^\s*(?:true|false)\s*$/i.test(cell));
    this.structures += Number(readJson(cell) !== undefined);
    if (!isPoint && !isComma && !this.firstText) this.firstText = { line, cell };
  }

  /** The decimal mark that the cells of this column prove; undefined if both marks fit, or there are no numbers. */
  get mark(): Mark | undefined {
    if (this.only[','] > 0 && this.commas === this.filled) return ',';
    if (this.only['.'] > 0 && this.points === this.filled) return '.';
    return undefined;
  }

  /** The distinct texts; undefined if they are too many to be names. */
  get names(): readonly string[] | undefined {
    return this.texts.size > MOST_NAMES ? undefined : [...this.texts];
  }

  /** The role that fits all cells; `ofFile` is the mark that other columns prove. */
  roleWith(ofFile: Mark | undefined): Role {
    if (this.filled === 0) return 'unused';
    if (this.booleans === this.filled) return 'boolean';
    if (this.structures === this.filled) return 'json';
    if (this.codes > 0) return 'text';
    const numbers = (this.mark ?? ofFile ?? '.') === ',' ? this.commas : this.points;
    return numbers === this.filled ? 'number' : 'text';
  }

  /** The cell because of which the column is text although most of its cells are numbers. */
  get oddOne(): { line: number; cell: string } | undefined {
    const numbers = Math.max(this.points, this.commas);
    return numbers > this.filled / 2 && numbers < this.filled ? this.firstText : undefined;
  }
}

/** Maximum number of names of fields. */
const MOST_NAMES = 300;

/** The digits of a whole number; other numbers are rounded as usual. */
function digitsIn(cell: string): number {
  const text = cell.trim().replace(/^[+-]/, '');
  return /^\d+$/.test(text) ? text.length : 0;
}
