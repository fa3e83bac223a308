/** The decimal mark of a column of numbers. */
export type Mark = '.' | ',';

export interface Quantity {
  /** With a decimal point and without groups. */
  number: string;
  /** The text around the number, such as °C; empty if there is none. */
  unit: string;
}

const POWER = String.raw`(?:e[+-]?\d+)?`;
/** An apostrophe stands for a blank or an apostrophe between digits. The last form is Indian: 12,34,567. */
const NUMBERS: Readonly<Record<Mark, RegExp>> = {
  '.': new RegExp(
    String.raw`^(?:(?:\d+(?:\.\d*)?|\.\d+)${POWER}|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:'\d{3})+)(?:\.\d+)?|[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?)$`,
    'i',
  ),
  ',': new RegExp(String.raw`^(?:\d+(?:,\d+)?${POWER}|[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:'\d{3})+)(?:,\d+)?)$`, 'i'),
};

/** A number without letters, and what follows it. A letter may have a power: m3/h. */
const WITH_UNIT = /^([^\p{L}%‰°$€£¥]*\d[.,]?\)?)\s*([\p{L}%‰°$€£¥](?:[\p{L}%‰°·/²³^*.\s-]|(?<=\p{L})[23](?!\d))*)$/u;
const CURRENCY_FIRST = /^(-?)([$€£¥])\s*(-?\d.*)$/;
const MOST_OF_UNIT = 16;
const HALF_OF_DAY = /^[ap]\.?\s*m\.?$/i;

/** The number in a cell, with the unit around it; undefined if the cell is nothing else. */
export function readQuantity(cell: string, mark: Mark): Quantity | undefined {
  const text = plainCharacters(cell.trim());
  const alone = numberOf(text, mark);
  if (alone !== undefined) return { number: alone, unit: '' };
  const [, sign = '', currency, amount = ''] = CURRENCY_FIRST.exec(text) ?? [];
  const [, written = '', after = ''] =
    currency === undefined ? (WITH_UNIT.exec(text) ?? []) : [text, sign + amount, currency];
  const unit = after.trim();
  if (unit === '' || unit.length > MOST_OF_UNIT || HALF_OF_DAY.test(unit)) return undefined;
  const number = numberOf(written.trim(), mark);
  return number === undefined ? undefined : { number, unit };
}

/** A minus may stand behind the number, or brackets around it. */
function numberOf(text: string, mark: Mark): string | undefined {
  const [, sign = '', plain = '', behind = ''] = /^([+-]?)([^()]*?)(-?)$/.exec(text) ?? [];
  const [, inBrackets] = /^\(([^()]*)\)$/.exec(text) ?? [];
  if (sign !== '' && behind !== '') return undefined;
  const digits = (inBrackets ?? plain).replace(/(?<=\d)[ '](?=\d)/g, "'");
  if (!NUMBERS[mark].test(digits)) return undefined;
  const isBelowZero = inBrackets !== undefined || sign === '-' || behind === '-';
  return (isBelowZero ? '-' : '') + withPoint(digits, mark);
}

function withPoint(digits: string, mark: Mark): string {
  const ungrouped = digits.replaceAll("'", '').replaceAll(mark === '.' ? ',' : '.', '');
  return ungrouped.replace(',', '.');
}

const OTHER = /[^\x20-\x7e]/;

/** The digits, signs and marks of all languages as ASCII. */
function plainCharacters(text: string): string {
  if (!OTHER.test(text)) return text;
  return text
    .replace(/[\u061c\u200e\u200f]/g, '') // marks of direction
    .replace(/[^\P{Nd}0-9]/gu, (digit) => otherDigits().get(digit) ?? digit)
    .replace(/[\u2212\u2010-\u2013\ufe63\uff0d]/g, '-')
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[\u2019\u066c]/g, "'")
    .replace(/\u066b/g, '.');
}

let digitsOfLanguages: ReadonlyMap<string, string> | undefined;

/** The digits of every numbering system that `Intl` knows. */
function otherDigits(): ReadonlyMap<string, string> {
  digitsOfLanguages ??= new Map(
    Intl.supportedValuesOf('numberingSystem').flatMap((name) => {
      const format = new Intl.NumberFormat(`en-u-nu-${name}`, { useGrouping: false });
      const digits = [...format.format(9_876_543_210)].reverse();
      return digits.length === 10 ? digits.map((digit, value): [string, string] => [digit, String(value)]) : [];
    }),
  );
  return digitsOfLanguages;
}
