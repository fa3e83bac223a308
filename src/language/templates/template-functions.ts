import { CannotEvaluate, countCharacters } from '../evaluation-cost';
import type { Operand } from '../expression-comparison';
import { readNumber } from '../sensor-value';
import { dateIn, roundedTo } from '../text-functions';

const MAX_DIGITS = 15;
/** Range of JavaScript's dates, in seconds. */
const MAX_SECONDS = 8.64e12;

/** `local` gets the time zone as a second, unwritten argument. */
export const TEMPLATE_FUNCTIONS: Readonly<Record<string, (...items: Operand[]) => Operand>> = Object.assign(
  Object.create(null),
  {
    iso: (seconds: Operand) => new Date(dateOf(seconds) * 1000).toISOString(),
    local: (seconds: Operand, zone: Operand) => dateIn(dateOf(seconds), textOf(zone)),
    fixed: (number: Operand, digits: Operand) => roundedTo(numberOf(number), digitsOf(digits)),
    number: (number: Operand) => numberOf(number),
    escape: (text: Operand) => escaped(textOf(text)),
    markdown: (text: Operand, marks: Operand) => withoutMarkdown(textOf(text), textOf(marks)),
    cut: (text: Operand, length: Operand) => cut(textOf(text), lengthOf(length)),
  },
);

/** Numbers of written arguments. */
export const TEMPLATE_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ['iso', 1],
  ['local', 1],
  ['fixed', 2],
  ['number', 1],
  ['escape', 1],
  ['markdown', 2],
  ['cut', 2],
]);

/** A function for each character would take 100 times as long. */
function escaped(text: string): string {
  return textOf(text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'));
}

/** Invisible, and ends a link for readers of Markdown. */
const NO_LINK = '\u200b';

/**
 * Puts a backslash before `marks`, and `NO_LINK` before what could begin an address: not every service reads a
 * backslash before brackets. `<address|text>` gets a blank: a character of no width could be part of the address.
 */
function withoutMarkdown(text: string, marks: string): string {
  const escaped =
    marks === '' ? text : text.replace(new RegExp(`[${marks.replace(/[\\\]^-]/g, '\\$&')}]`, 'g'), '\\$&');
  return textOf(escaped.replace(/\](?=\\?[([:])/g, `]${NO_LINK}`).replace(/<(?=[^\s<>|]+\|)/g, '< '));
}

function cut(text: string, length: number): string {
  let end = 0;
  let kept = 0;
  for (let characters = 0; characters < length; characters += 1) {
    if (end >= text.length) return text;
    kept = end;
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end >= text.length ? text : `${text.slice(0, kept)}…`;
}

function textOf(value: Operand): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw new CannotEvaluate('a list, an object or nothing where a text is needed');
  countCharacters(value);
  return value;
}

function numberOf(value: Operand): number {
  const number = typeof value === 'string' ? readNumber(value) : value;
  if (typeof number !== 'number') throw new CannotEvaluate('no number where a number is needed');
  return number;
}

function dateOf(value: Operand): number {
  const seconds = numberOf(value);
  if (Math.abs(seconds) > MAX_SECONDS) throw new CannotEvaluate('the date is out of range');
  return seconds;
}

function digitsOf(value: Operand): number {
  const digits = numberOf(value);
  if (Number.isInteger(digits) && digits >= 0 && digits <= MAX_DIGITS) return digits;
  throw new CannotEvaluate(`fixed takes a number of digits from 0 to ${MAX_DIGITS}`);
}

function lengthOf(value: Operand): number {
  const length = numberOf(value);
  if (Number.isInteger(length) && length >= 1) return length;
  throw new CannotEvaluate('cut takes a number of characters from 1 on');
}
