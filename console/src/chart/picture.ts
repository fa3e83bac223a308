import { colour } from '../theme';

const MARGIN = 16;
const LINE = 20;
/** Height of the title and the range above a chart. */
const HEAD = 52;

/**
 * A PNG of a chart as the page shows it, in the colours of the theme: title, range, panels with their units, states and
 * legend, twice as fine as the screen at least.
 */
export async function pictureOf(chart: HTMLElement, title: string, subtitle: string): Promise<Blob> {
  const area = chart.querySelector('.chart-plot, .heat');
  const legend = [...chart.querySelectorAll('.legend > li')].filter(
    (item) => !item.querySelector('[aria-pressed=false]'),
  );
  if (!area) throw new Error('no chart is drawn');
  const box = area.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  const ratio = Math.max(2, devicePixelRatio);
  canvas.width = (box.width + 2 * MARGIN) * ratio;
  canvas.height = (HEAD + box.height + legend.length * LINE + 2 * MARGIN) * ratio;
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('the browser draws no pictures');
  ctx.scale(ratio, ratio);
  ctx.fillStyle = colour('ground');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.translate(MARGIN, MARGIN);
  ctx.textBaseline = 'middle';
  write(ctx, title, { x: 0, y: 10, tone: 'text', size: '600 16px' });
  write(ctx, subtitle, { x: 0, y: 32, tone: 'quiet' });
  ctx.translate(0, HEAD);
  drawElements(ctx, area, box);
  legend.forEach((item, at) => {
    const y = box.height + MARGIN / 2 + (at + 0.5) * LINE;
    const swatch = item.querySelector('.swatch');
    if (swatch) ctx.fillStyle = getComputedStyle(swatch).backgroundColor;
    ctx.fillRect(0, y - 2, 14, 4);
    write(ctx, [...item.children].map(({ textContent }) => textContent).join('  '), { x: 22, y, tone: 'text' });
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))));
  });
}

/** Draws what an area of the page has, at its place there: canvases, units and states. */
function drawElements(ctx: CanvasRenderingContext2D, area: Element, box: DOMRect): void {
  for (const element of area.querySelectorAll('canvas, .panel-unit, .band-row > span')) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left - box.left, top - box.top];
    if (element instanceof HTMLCanvasElement) {
      ctx.drawImage(element, x, y, width, height);
      continue;
    }
    if (element.className === 'panel-unit small quiet') {
      write(ctx, element.textContent ?? '', { x, y: y + height / 2, tone: 'quiet' });
      continue;
    }
    ctx.fillStyle = getComputedStyle(element).backgroundColor;
    ctx.fillRect(x, y, width - 1, height);
    const text = element.textContent ?? '';
    if (ctx.measureText(text).width + 10 < width) write(ctx, text, { x: x + 5, y: y + height / 2, tone: 'ground' });
  }
}

interface Place {
  x: number;
  y: number;
  tone: string;
  size?: string;
}

function write(ctx: CanvasRenderingContext2D, text: string, { x, y, tone, size = '12px' }: Place): void {
  ctx.fillStyle = colour(tone);
  ctx.font = `${size} ${getComputedStyle(document.body).fontFamily}`;
  ctx.fillText(text, x, y);
}
