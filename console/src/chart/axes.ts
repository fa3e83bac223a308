import type uPlot from 'uplot';
import { HOUR } from '../format';
import { LOCALE } from '../language';
import { isBinary, tickTexts } from '../quantity';
import { colour } from '../theme';
import { TEXT } from './layout';

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
export const FONT = `${TEXT}px ${FAMILY}`;
const DAY = 86_400;

/** Dates on scales, by what they show. */
export const formats = {
  year: new Intl.DateTimeFormat(LOCALE, { year: 'numeric' }),
  month: new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric' }),
  day: new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' }),
  minute: new Intl.DateTimeFormat(LOCALE, { hour: HOUR, minute: '2-digit' }),
  second: new Intl.DateTimeFormat(LOCALE, { hour: HOUR, minute: '2-digit', second: '2-digit' }),
  part: new Intl.DateTimeFormat(LOCALE, { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }),
};

interface AxesProps {
  /** Size of the text in pixels. */
  text: number;
  hasDates: boolean;
  unit: string;
  /** The width of the scale of numbers that has room for texts of this width, in pixels. */
  widthFor: (texts: number) => number;
}

const GAP = 8;
/** Steps of a scale of bytes, which are whole with a prefix. */
const BYTE_STEPS = Array.from({ length: 6 }, (_, power) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((step) => step * 1_024 ** power),
).flat();

/** The scales: dates in the user's language and zone, if they are shown, and numbers. */
export function axes({ text, hasDates, unit, widthFor }: AxesProps): uPlot.Axis[] {
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
    {
      ...look,
      ...(isBinary(unit) && { incrs: BYTE_STEPS }),
      size: (plot, texts) => widthFor(widest(plot.ctx, look.font, texts) + GAP),
      space: 44 * times,
      gap: GAP,
      values: (_plot, numbers, _axis, _space, step) => tickTexts(numbers, step, unit),
    },
  ];
}

/** The width of the widest of these texts in pixels; 0 before there are any. */
function widest(ctx: CanvasRenderingContext2D, font: string, texts: readonly string[] | null): number {
  ctx.font = font;
  return Math.max(0, ...(texts ?? []).map((one) => ctx.measureText(one).width));
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
