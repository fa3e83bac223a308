import type uPlot from 'uplot';
import { colour } from '../theme';

/** A moment to mark: a trigger fired, or would have fired, or the address names it. */
export interface Mark {
  date: number;
  kind: 'fired' | 'trial' | 'named';
}

/** A period to mark: an episode, from its start to its end. */
export interface Span {
  from: number;
  to: number;
}

const COLOURS = { fired: 'danger', trial: 'series-4', named: 'text' } as const;
/** Width of the line of a named moment in pixels: a firing at the same moment is drawn over it. */
const NAMED_WIDTH = 5;

/** Draws moments as lines with a head, and episodes as shaded periods, over the lines of a chart. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], spans: readonly Span[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  const head = 5 * ratio; // half of a head, at either edge
  ctx.rect(bbox.left - head, bbox.top - 8 * ratio, bbox.width + 2 * head, bbox.height + 8 * ratio);
  ctx.clip();
  ctx.fillStyle = colour('danger');
  ctx.globalAlpha = 0.1;
  for (const { from, to } of spans) {
    const left = inside(plot.valToPos(from, 'x', true), bbox);
    const right = inside(plot.valToPos(to, 'x', true), bbox);
    ctx.fillRect(left, bbox.top, Math.max(ratio, right - left), bbox.height);
  }
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
    ctx.moveTo(x - 4.5 * ratio, bbox.top - 7 * ratio);
    ctx.lineTo(x + 4.5 * ratio, bbox.top - 7 * ratio);
    ctx.lineTo(x, bbox.top + 1 * ratio);
    ctx.fill();
  }
  ctx.restore();
}

/** Clamps a position to the edges of the chart. */
function inside(x: number, { left, width }: uPlot.BBox): number {
  return Math.min(left + width, Math.max(left, x));
}
