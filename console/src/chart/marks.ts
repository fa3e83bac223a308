import type uPlot from 'uplot';
import { colour } from '../theme';

/** A moment to mark: a trigger fired, or would have fired, the address names it, or a user wrote a note. */
export interface Mark {
  date: number;
  kind: 'fired' | 'trial' | 'named' | 'note';
  /** The text of a note, and the end of its period. */
  text?: string;
  until?: number;
}

/** A period to mark: an episode from its start to its end, or that of a note. */
export interface Span {
  from: number;
  to: number;
  kind?: 'note';
}

/** A number that a trigger compares values with. */
export interface Threshold {
  sensorId: string;
  /** The field of JSON values; empty for the value itself. */
  field: string;
  value: number;
  label: string;
  /** True for a number that ends an alert. */
  isEnd?: boolean;
}

const COLOURS = { fired: 'danger', trial: 'series-4', named: 'text', note: 'focus' } as const;
/** Width of the line of a named moment in pixels: a firing at the same moment is drawn over it. */
const NAMED_WIDTH = 5;

/** Draws episodes and notes with an end as shaded periods, under the lines of a chart. */
export function drawSpans({ ctx, bbox, valToPos }: uPlot, spans: readonly Span[]): void {
  ctx.save();
  ctx.globalAlpha = 0.1;
  for (const { from, to, kind = 'fired' } of spans) {
    const [left, right] = [inside(valToPos(from, 'x', true), bbox), inside(valToPos(to, 'x', true), bbox)];
    ctx.fillStyle = colour(COLOURS[kind]);
    ctx.fillRect(left, bbox.top, Math.max(devicePixelRatio, right - left), bbox.height);
  }
  ctx.restore();
}

/** Draws the numbers of rules as dashed lines, as far as the scale of a chart shows them; `size` is that of the text. */
export function drawThresholds({ ctx, bbox, valToPos }: uPlot, thresholds: readonly Threshold[], size: number): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour('danger');
  ctx.font = `${size * ratio}px system-ui, sans-serif`;
  for (const { value, label, isEnd } of thresholds) {
    const y = Math.round(valToPos(value, 'y', true));
    if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
    ctx.strokeStyle = ctx.fillStyle;
    ctx.lineWidth = ratio;
    ctx.setLineDash(isEnd ? [2 * ratio, 4 * ratio] : [6 * ratio, 4 * ratio]);
    ctx.globalAlpha = 0.7;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.globalAlpha = 1;
    // At the left: an alert that fires is at the right. The text of an end is on the other side.
    ctx.textAlign = isEnd ? 'right' : 'left';
    const isBelow = isEnd || y - bbox.top < (size + 5) * ratio;
    const edge = isEnd ? bbox.width - 4 * ratio : 4 * ratio;
    ctx.textBaseline = isBelow ? 'top' : 'bottom';
    const place = [label, bbox.left + edge, y + (isBelow ? 4 : -3) * ratio] as const;
    ctx.strokeStyle = colour('ground');
    ctx.setLineDash([]);
    ctx.lineWidth = 3 * ratio;
    ctx.strokeText(...place);
    ctx.fillText(...place);
  }
  ctx.restore();
}

/** Draws moments as lines with a head over the lines of a chart. */
export function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  for (const { date, kind } of marks) {
    const x = Math.round(plot.valToPos(date, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.fillStyle = colour(COLOURS[kind]);
    ctx.globalAlpha = marks.length > 150 ? 0.25 : 0.45;
    if (kind === 'named') {
      ctx.globalAlpha = 0.3;
      ctx.fillRect(x - (NAMED_WIDTH / 2) * ratio, bbox.top, NAMED_WIDTH * ratio, bbox.height);
      continue;
    }
    ctx.fillRect(x - ratio / 2, bbox.top, ratio, bbox.height);
    ctx.globalAlpha = 1;
    ctx.beginPath();
    // The head of a note is a flag, and that of a firing an arrow.
    if (kind === 'note') ctx.rect(x - ratio / 2, bbox.top - 8 * ratio, 9 * ratio, 8 * ratio);
    else {
      ctx.moveTo(x - 4.5 * ratio, bbox.top - 7 * ratio);
      ctx.lineTo(x + 4.5 * ratio, bbox.top - 7 * ratio);
      ctx.lineTo(x, bbox.top + 1 * ratio);
    }
    ctx.fill();
  }
  ctx.restore();
}

/** Clamps a position to the edges of the chart. */
function inside(x: number, { left, width }: uPlot.BBox): number {
  return Math.min(left + width, Math.max(left, x));
}
