import type uPlot from 'uplot';
import { formatNumber } from '../format';
import { LOCALE } from '../language';
import { colour } from '../theme';
import { gutterOf, TEXT } from './layout';

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
export const FONT = `${TEXT}px ${FAMILY}`;
const DAY = 86_400;

/** Dates on scales, by what they show. */
export const formats = {
  year: new Intl.DateTimeFormat(LOCALE, { year: 'numeric' }),
  month: new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric' }),
  day: new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' }),
  minute: new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' }),
  second: new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  part: new Intl.DateTimeFormat(LOCALE, { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }),
};

/** The scales: dates in the user's language and zone, if they are shown, and numbers; with text of this size. */
export function axes(text: number, hasDates: boolean): uPlot.Axis[] {
  const times = text / TEXT;
  const look = {
    stroke: colour('quiet'),
    font: `${text}px ${FAMILY}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...look,
      show: hasDates,
      grid: { show: false },
      size: 32 * times,
      space: 90 * times,
      values: (_plot, dates, _axis, _space, step) => dates.map((date) => dateText(date, step)),
    },
    { ...look, size: gutterOf(text), space: 44 * times, gap: 8, values: (_plot, numbers) => numbers.map(formatNumber) },
  ];
}

/** A date on the scale; midnight shows the day. */
function dateText(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  if (step >= 365 * DAY) return formats.year.format(date);
  if (step >= 28 * DAY) return formats.month.format(date);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (step >= DAY || (isMidnight && step >= 60)) return formats.day.format(date);
  if (step >= 60) return formats.minute.format(date);
  return (step >= 1 ? formats.second : formats.part).format(date);
}
