import { LOCALE, t } from './language';
import { hasDecimalComma } from './spreadsheet';

type Mark = '.' | ',';

/** The decimal mark of the user's language. */
const MARK: Mark = hasDecimalComma(LOCALE) ? ',' : '.';

const NUMBER = /^-?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** A number whose mark may separate thousands: 1.000 in German, 1,000 in English. */
const GROUPED = /^-?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * A typed number as JavaScript writes it. The decimal mark is a comma or a point. Undefined if the text is not a number,
 * or if its mark may separate thousands.
 */
export function readTyped(text: string, mark = MARK): string | undefined {
  const typed = text.trim().replace('−', '-');
  const grouping = GROUPED.exec(typed)?.[1] ?? mark;
  if (!NUMBER.test(typed) || grouping !== mark) return undefined;
  return typed.replace(',', '.').replace(/\.(?!\d)/, '');
}

/** A number as its user types it. */
export function showTyped(number: string, mark = MARK): string {
  return number.replace('.', mark);
}

/** Why a typed number is refused; undefined for a number, for none, and for the sign of one that is not typed yet. */
export function typedProblem(text: string): string | undefined {
  if (text.trim() === '' || text === '-' || readTyped(text) !== undefined) return undefined;
  return t('Type a number without thousands separators, such as {example}.', { example: showTyped('1234.5') });
}
