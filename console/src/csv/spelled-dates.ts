import { LANGUAGE } from '../language';

/** A name means the same month in all of them. Croatian is left out: its October is the November of others. */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr el ru uk bg ca et lv lt sl id vi'.split(' ');

const DAY = String.raw`(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª)?`;
const NAME = String.raw`(\p{L}[\p{L}\p{M}]*)\.?`;
const WEEKDAY = String.raw`(?:\p{L}[\p{L}\p{M}-]*\.?,?\s+)?`;
const OF = String.raw`(?:d(?:e|el)\s+)?`;
/** What follows the date: the word for year in Russian and Ukrainian, and a time behind a comma or a word. */
const REST = String.raw`(?:\s*[гр]\.)?(?:(?:,|\s(?:at|um|à|kl\.?|a\s+las?|alle|om|o))?\s*(\d.*))?$`;
const DAY_FIRST = new RegExp(
  String.raw`^${WEEKDAY}${DAY}[\s-]+${OF}${NAME}[\s,-]+${OF}(\d{4}|\d{2})(?!\d|:)${REST}`,
  'u',
);
const MONTH_FIRST = new RegExp(String.raw`^${WEEKDAY}${NAME}\s+${DAY},?\s+(\d{4})(?!\d|:)${REST}`, 'u');
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[\s/-]${NAME}[\s/-]${DAY}${REST}`, 'u');
/** As `asctime` of C prints it. */
const YEAR_LAST = new RegExp(String.raw`^${WEEKDAY}${NAME}\s+${DAY}\s+([\d:.]+)\s+(\d{4})$`, 'u');
const CHINESE = /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号]?\s*(.*)$/;
const CHINESE_TIME = /(\d{1,2})\s*[时時시]\s*(?:(\d{1,2})\s*[分분]\s*)?(?:(\d{1,2})\s*[秒초])?/;

const DAY_WITH_BLANKS = /^(\d{1,2})\.\s(\d{1,2})\.\s?(\d{4})(?!\d)/;
const YEAR_WITH_BLANKS = /^(\d{4})\.\s(\d{1,2})\.\s?(\d{1,2})\.?(?!\d)/;

/**
 * A date whose month is a word, in digits: `20 Nov 2026 10:00` is `2026-11-20 10:00`. Blanks between the parts go.
 * Other texts stay.
 */
export function inDigits(written: string): string {
  const text = written.replace(DAY_WITH_BLANKS, '$1.$2.$3').replace(YEAR_WITH_BLANKS, '$1-$2-$3');
  if (!/\p{L}{3}|[年년]/u.test(text)) return text;
  const [, year, month, day, time = ''] = CHINESE.exec(text) ?? [];
  if (year !== undefined) return spell(year, month, day, chineseTime(time)) ?? text;
  return western(text) ?? text;
}

function western(text: string): string | undefined {
  const last = YEAR_LAST.exec(text);
  if (last) return spell(last[4], monthOf(last[1]), last[2], last[3]);
  const first = DAY_FIRST.exec(text);
  if (first) return spell(fullYear(first[3]), monthOf(first[2]), first[1], first[4]);
  const second = MONTH_FIRST.exec(text);
  if (second) return spell(second[3], monthOf(second[1]), second[2], second[4]);
  const third = YEAR_FIRST.exec(text);
  return third ? spell(third[1], monthOf(third[2]), third[3], third[4]) : undefined;
}

function spell(year?: string, month?: string, day?: string, time = ''): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time.replace(/\s*Uhr$/i, '')}`.trim();
}

/** Before 1970 there were no sensors that write such files. */
function fullYear(year = ''): string {
  if (year.length > 2) return year;
  return String(Number(year) < 70 ? 2000 + Number(year) : 1900 + Number(year));
}

function chineseTime(time: string): string {
  return time.replace(CHINESE_TIME, (_, hour = '', minute = '0', second = '0') =>
    [hour, minute, second].map((part) => part.padStart(2, '0')).join(':'),
  );
}

function monthOf(name = ''): string | undefined {
  return months().get(keyOf(name));
}

let known: ReadonlyMap<string, string> | undefined;

/** The numbers of the months by their names. If languages disagree, that of the reader counts. */
function months(): ReadonlyMap<string, string> {
  if (known) return known;
  const names = new Map<string, string>();
  for (const locale of [LANGUAGE, ...LANGUAGES]) {
    for (const format of formatsOf(locale)) {
      for (let month = 0; month < 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2026, month, 1));
        const name = keyOf(parts.find(({ type }) => type === 'month')?.value ?? '');
        if (!names.has(name)) names.set(name, String(month + 1));
      }
    }
  }
  known = names;
  return names;
}

/** Names alone and within a date: in many languages they differ. */
function formatsOf(locale: string): Intl.DateTimeFormat[] {
  return (['long', 'short'] as const).flatMap((month) => [
    new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }),
    new Intl.DateTimeFormat(locale, { month, day: 'numeric', year: 'numeric', timeZone: 'UTC' }),
  ]);
}

function keyOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase();
}
