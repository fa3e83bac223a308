import { isGap } from './gaps';

/** The time of day in a cell as `18:00:00`; undefined if the cell is none. */
export type ReadTime = (cell: string) => string | undefined;

const CLOCK =
  /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?\s*m\.?)?(?:\s*(?:(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{1,5}))?$/i;
/** 18h00 and 18.00.00: nothing else is written so. */
const MARKED = /^(\d{1,2})(?:h(\d{2})?(?:[.m:](\d{2})s?)?|\.(\d{2})\.(\d{2}))$/i;
const DOTTED = /^(\d{1,2})\.(\d{2})$/;
const DIGITS = /^\d{1,4}$|^\d{6}$/;
const HOURS = /^\d{1,2}$/;
/** A fraction of a day, as spreadsheets store times: 0.75 is 18:00. */
const FRACTION = /^0?[.,]\d+$|^0$/;
const DAY_SECONDS = 86_400;
/** Spreadsheets write it behind a day without a time. */
export const MIDNIGHT = /[ T]0?0:00(?::00(?:\.0+)?)?$/;

const readClock: ReadTime = (cell) => (CLOCK.test(cell) ? cell : undefined);

const readMarked: ReadTime = (cell) => {
  const [, hour, minute, second, dotted, dottedSecond] = MARKED.exec(cell) ?? [];
  return spell(hour, minute ?? dotted, second ?? dottedSecond);
};

const readDotted: ReadTime = (cell) => {
  const [, hour, minute] = DOTTED.exec(cell) ?? [];
  return spell(hour, minute);
};

/** 1800, 180000, and 30 for half an hour after midnight. */
const readDigits: ReadTime = (cell) => {
  if (!DIGITS.test(cell)) return undefined;
  const digits = cell.length === 6 ? cell : `${cell.padStart(4, '0')}00`;
  return spell(digits.slice(0, 2), digits.slice(2, 4), digits.slice(4));
};

const readHours: ReadTime = (cell) => (HOURS.test(cell) ? spell(cell) : undefined);

const readFraction: ReadTime = (cell) => {
  if (!FRACTION.test(cell)) return undefined;
  const seconds = Math.round(Number(cell.replace(',', '.')) * DAY_SECONDS);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return spell(String(hour), String(minute), String(seconds % 60));
};

/** Undefined for a time that no clock shows. */
function spell(hour: string | undefined, minute = '0', second = '0'): string | undefined {
  if (hour === undefined || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return [hour, minute, second].map((part) => part.padStart(2, '0')).join(':');
}

/** Ways to write a time that are nothing else, in any column. */
const SURE = [readClock, readMarked];
/** Also numbers: in a column that is named like a time, or that the user has chosen. */
const ALL = [...SURE, readDotted, readHours, readDigits, readFraction];

const NAME =
  /^(?:(?:local |utc )?time|time of day|(?:uhr|tages)?zeit|uhr|heure|hora|ora|tijd|tid|klo|hour|hr|stunde|hh:?mm(?::?ss)?|czas|godzina|čas|ώρα|время)$/i;

/** True if a column of this name holds times of day, even ones that look like numbers. */
export function isNameOfTimes(name: string): boolean {
  return NAME.test(name.trim());
}

export function isTime(cell: string): boolean {
  return SURE.some((read) => read(cell.trim()) !== undefined);
}

/** How to read the cells as times: all of them in a column named like a time, most of them in any other. */
export function timesIn(cells: readonly string[], { isNamed }: { isNamed: boolean }): ReadTime | undefined {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => !isGap(cell));
  const most = isNamed ? filled.length : Math.floor(filled.length / 2) + 1;
  const suits = (read: ReadTime) => filled.filter((cell) => read(cell) !== undefined).length >= most;
  return filled.length === 0 ? undefined : (isNamed ? ALL : SURE).find(suits);
}
