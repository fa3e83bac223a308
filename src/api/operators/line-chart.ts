import { type Html, html } from '../../platform/html';
import type { PageWriter } from './parts';

const HOUR_MS = 3_600_000;
const MINUTES_PER_HOUR = 60;
/** The unit is that of the drawing. A minute is one unit wide. */
const HEIGHT = 100;

/** A chart of zeros has marks to read. */
const LEAST_TOP = 10;

interface Line {
  label: string;
  /** By minute; null is a gap. */
  values: readonly (number | null)[];
}

export interface LineChart {
  title: string;
  /** Start of the first minute. */
  fromMs: number;
  lines: readonly Line[];
  show(value: number): string;
  /** The axis begins at 1, for values that differ by factors. */
  isLogarithmic?: boolean;
}

export function lineChart(chart: LineChart, writer: PageWriter): Html {
  const { title, fromMs, lines, show, isLogarithmic = false } = chart;
  const { words } = writer;
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = niceTop(Math.max(LEAST_TOP, ...all), isLogarithmic);
  const y = (value: number) => {
    const part = isLogarithmic ? Math.log(Math.max(1, value)) / Math.log(top) : value / top;
    return Math.round((1 - part) * HEIGHT * 10) / 10;
  };
  const marks = isLogarithmic ? [top, Math.sqrt(top), 1] : [top, top / 2, 0];
  const minutes = lines[0]?.values.length ?? 0;
  const hours = [0, 1, 2, 3, 4].map((quarter) => fromMs + (quarter * minutes * HOUR_MS) / MINUTES_PER_HOUR / 4);
  const caption = html`<strong>${title}</strong>${lines.map(legend(show))}`;
  if (all.length === 0)
    return html`<figure class="chart"><figcaption>${caption}</figcaption>${writer.quiet('Nothing yet.')}</figure>`;
  return html`<figure class="chart">
<figcaption>${caption}</figcaption>
<div class="plot">
<div class="marks" aria-hidden="true">${marks.map((mark) => html`<span>${show(mark)}</span>`)}</div>
<svg viewBox="0 0 ${minutes} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words.t('{title}; the numbers are in the table below', { title })}">
<path class="grid" d="M0 0H${minutes}M0 ${HEIGHT / 2}H${minutes}M0 ${HEIGHT}H${minutes}"/>
${lines.map(({ values }, index) => html`<path class="line line-${index + 1}" d="${pathOf(values, y)}"/>`)}
</svg>
<div class="times" aria-hidden="true">${hours.map((ms) => html`<span>${clock(ms)}</span>`)}</div>
</div>
<details><summary>${words.t('By hour')}</summary>
${hourTable(chart, writer)}
</details>
</figure>`;
}

function legend(show: LineChart['show']) {
  return ({ label, values }: Line, index: number) => {
    const latest = values.filter((value) => value !== null).at(-1);
    return html` <span class="legend"><svg viewBox="0 0 20 4" aria-hidden="true"><path class="line line-${index + 1}" d="M0 2H20"/></svg> ${label}: ${latest === undefined ? '–' : show(latest)}</span>`;
  };
}

/** Leaves out points within a level part. */
function pathOf(values: readonly (number | null)[], y: (value: number) => number): string {
  let path = '';
  values.forEach((value, index) => {
    if (value === null) return;
    const [before, after] = [values[index - 1] ?? null, values[index + 1] ?? null];
    if (before === null) path += `M${index} ${y(value)}${after === null ? 'h0' : ''}`;
    else if (value !== before || value !== after) path += `L${index} ${y(value)}`;
  });
  return path;
}

/** The next 1, 2 or 5 with zeros; on a logarithmic axis the next power of 100, so that the middle is a round number. */
function niceTop(largest: number, isLogarithmic: boolean): number {
  if (isLogarithmic) return 100 ** Math.max(1, Math.ceil(Math.log(largest) / Math.log(100)));
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 2, 5].find((digit) => digit * power >= largest) ?? 10) * power;
}

function hourTable({ title, fromMs, lines, show }: LineChart, writer: PageWriter): Html {
  const hours = Math.ceil((lines[0]?.values.length ?? 0) / MINUTES_PER_HOUR);
  const rows = Array.from({ length: hours }, (_, hour) => {
    const cells = lines.map(({ values }) => {
      const own = values.slice(hour * MINUTES_PER_HOUR, (hour + 1) * MINUTES_PER_HOUR).filter((one) => one !== null);
      return html`<td class="number">${own.length === 0 ? '–' : `${show(mean(own))} (${show(Math.max(...own))})`}</td>`;
    });
    return html`<tr><td>${clock(fromMs + hour * HOUR_MS)}</td>${cells}</tr>`;
  });
  const { words } = writer;
  const caption = html`${words.t('{title}: average of each hour, and its highest minute', { title })}`;
  return html`${writer.note(words.t('The average of each hour, and in brackets its highest minute.'))}
${writer.table(caption, ['From, UTC', ...lines.map(({ label }) => html`${label}`)], rows)}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}
