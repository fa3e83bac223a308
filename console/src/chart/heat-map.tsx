import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { firstDayOfWeek, formatDate, formatShort } from '../format';
import { LOCALE, t } from '../language';
import { joined, writerFor } from '../quantity';
import { colour, usePaintedTheme } from '../theme';
import { Select } from '../ui/form';
import { Loaded } from '../ui/page';
import { useResource } from '../use-resource';
import { FONT, formats } from './axes';
import { type Cell, dayOfColumn, type Grid, gridOf, kindOf } from './heat-grid';
import { DATES, GUTTER } from './layout';
import { keyOf, Mean } from './legend';
import { loadIntervals } from './load';
import type { Range } from './points';
import { type Charted, type Line, shapesOfAll } from './shape';
import type { View } from './view';

interface HeatProps {
  sensors: readonly Charted[];
  /** The lines that the range has; one of them is shown. */
  lines: readonly Line[];
  view: View;
}

/** A range as a heat map: days and hours, or weeks and days. A cell opens its hours or minutes as a chart. */
export function HeatMap({ sensors, lines, view }: HeatProps) {
  const [chosen, setChosen] = useState('');
  const line = lines.find((one) => keyOf(one) === chosen) ?? lines[0];
  const sensor = sensors.find(({ id }) => id === line?.sensorId) ?? sensors[0];
  // The minute in which a range that follows the clock is loaded again.
  const range = useMemo(() => view.range, [Math.floor(view.range.from / 60), Math.floor(view.range.to / 60)]);
  const kind = kindOf(range);
  const found = useResource(`heat ${sensor?.id} ${range.from} ${range.to}`, async (signal) => {
    if (!sensor) return [];
    const points = await loadIntervals(sensor.id, range, kind, signal);
    return shapesOfAll([sensor], new Map([[sensor.id, points]])).lines;
  });
  return (
    <div class="stack tight">
      {lines.length > 1 && (
        <div class="form">
          <Select
            label={t('Values')}
            value={line ? keyOf(line) : ''}
            onValue={setChosen}
            options={lines.map((one) => [keyOf(one), one.name] as const)}
          />
        </div>
      )}
      <Loaded resource={found}>
        {(loaded) => {
          const shown = loaded.find(({ field }) => field === line?.field) ?? loaded[0];
          if (!shown) return <p class="quiet">{t('No numbers in this range.')}</p>;
          return <HeatGrid line={shown} range={range} show={view.show} />;
        }}
      </Loaded>
    </div>
  );
}

/** Height of a cell of an hour, and the highest of a day, in pixels. */
const HOUR_HEIGHT = 12;
const DAY_HEIGHT = 22;
const WIDEST_HOUR = 200;

interface GridProps {
  line: Line;
  range: Range;
  show: (range: Range) => void;
}

function HeatGrid({ line, range, show }: GridProps) {
  const [chosen, setChosen] = useState<Cell>();
  const grid = useMemo(() => gridOf(line, range, firstDayOfWeek()), [line, range]);
  const [low, high] = useMemo(() => extremesOf(grid.cells), [grid]);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Enter' && chosen) show(chosen);
    else if (step) setChosen(neighbour(grid.cells, chosen, step));
    else return;
    event.preventDefault();
  };
  const { unit, within } = writerFor(line.unit, { low, high });
  const text = (number: number) => joined(within(number), unit);
  const [from, to] = [formatShort(range.from), formatShort(range.to)];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and no keys */}
      <div
        class="heat"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that choose a cell
        tabIndex={0}
        aria-label={t('Heat map; arrows choose a cell, Enter shows it as a chart')}
        onKeyDown={move}
      >
        <HeatCanvas
          {...{ grid, low, high, chosen, show, setChosen }}
          label={t('{names} from {from} to {to}', { names: line.name, from, to })}
        />
      </div>
      <div class="line spread small numbers">
        <span class="legend-item quiet">
          {text(low)} <span class="heat-scale" /> {text(high)}
        </span>
        <span aria-live="polite">{chosen && <CellText cell={chosen} line={line} isDay={grid.kind === 'days'} />}</span>
      </div>
    </>
  );
}

interface CanvasProps {
  grid: Grid;
  low: number;
  high: number;
  chosen: Cell | undefined;
  label: string;
  show: (range: Range) => void;
  setChosen: (cell: Cell | undefined) => void;
}

/** The cells, as wide as their place. */
function HeatCanvas({ grid, low, high, chosen, label, show, setChosen }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const theme = usePaintedTheme();
  const cellHeight = grid.kind === 'hours' ? HOUR_HEIGHT : DAY_HEIGHT;
  const cellWidth = Math.min(grid.kind === 'hours' ? WIDEST_HOUR : DAY_HEIGHT, (width - GUTTER) / grid.columns);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (canvas.current?.parentElement) observer.observe(canvas.current.parentElement);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, { grid, low, high, cellWidth, cellHeight, width, chosen });
  }, [grid, low, high, width, theme, chosen]);
  const at = ({ offsetX, offsetY }: MouseEvent) => {
    const [column, row] = [Math.floor((offsetX - GUTTER) / cellWidth), Math.floor(offsetY / cellHeight)];
    return grid.cells.find((cell) => cell.column === column && cell.row === row);
  };
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      style={{ width: `${width}px`, height: `${grid.rows * cellHeight + DATES}px` }}
      onMouseMove={(event) => setChosen(at(event))}
      onMouseLeave={() => setChosen(undefined)}
      onClick={(event) => {
        const cell = at(event);
        if (cell) show(cell);
      }}
    />
  );
}

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full' });

function CellText({ cell, line, isDay }: { cell: Cell; line: Line; isDay: boolean }) {
  return (
    <>
      <span class="quiet">{isDay ? day.format(cell.from * 1000) : formatDate(cell.from)}</span>{' '}
      <Mean {...cell} unit={line.unit} />
    </>
  );
}

function extremesOf(cells: readonly Cell[]): [low: number, high: number] {
  const values = cells.map(({ value }) => value);
  return [Math.min(...values), Math.max(...values)];
}

const STEPS: Readonly<Record<string, [column: number, row: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next cell with a value in a direction; the same one at an edge, and the last one to begin with. */
function neighbour(cells: readonly Cell[], from: Cell | undefined, [columns, rows]: [number, number]) {
  if (!from) return cells.at(-1);
  const distance = (cell: Cell) => (cell.column - from.column) * columns + (cell.row - from.row) * rows;
  const isInLine = (cell: Cell) => (columns === 0 ? cell.column === from.column : cell.row === from.row);
  const ahead = cells.filter((cell) => isInLine(cell) && distance(cell) > 0);
  return ahead.sort((a, b) => distance(a) - distance(b))[0] ?? from;
}

interface Drawing {
  grid: Grid;
  low: number;
  high: number;
  cellWidth: number;
  cellHeight: number;
  width: number;
  chosen: Cell | undefined;
}

const LOWEST_OPACITY = 0.1;
/** Least space of a date below the cells, in pixels. */
const DATE_SPACE = 72;

function draw(canvas: HTMLCanvasElement, { grid, low, high, cellWidth, cellHeight, width, chosen }: Drawing): void {
  const ratio = devicePixelRatio;
  const height = grid.rows * cellHeight + DATES;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  ctx.scale(ratio, ratio);
  ctx.fillStyle = colour('accent');
  const gap = cellWidth > 4 ? 1 : 0;
  for (const { column, row, value } of grid.cells) {
    ctx.globalAlpha = LOWEST_OPACITY + (1 - LOWEST_OPACITY) * (high > low ? (value - low) / (high - low) : 0.5);
    ctx.fillRect(GUTTER + column * cellWidth, row * cellHeight, cellWidth - gap, cellHeight - 1);
  }
  ctx.globalAlpha = 1;
  if (chosen) {
    ctx.strokeStyle = colour('text');
    ctx.lineWidth = 2;
    ctx.strokeRect(GUTTER + chosen.column * cellWidth, chosen.row * cellHeight, cellWidth - gap, cellHeight - 1);
  }
  ctx.fillStyle = colour('quiet');
  ctx.font = FONT;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  for (let row = 0; row < grid.rows; row += grid.kind === 'hours' ? 6 : 2) {
    ctx.fillText(rowName(grid, row), GUTTER - 8, (row + 0.5) * cellHeight);
  }
  ctx.textAlign = 'left';
  let next = 0;
  for (let column = 0; column < grid.columns; column += 1) {
    const x = column * cellWidth;
    const name = columnName(grid, column);
    if (x < next || !name || GUTTER + x + ctx.measureText(name).width > width) continue;
    ctx.fillText(name, GUTTER + x, height - DATES / 2);
    next = x + DATE_SPACE;
  }
}

const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short' });

function rowName({ kind, from }: Grid, row: number): string {
  const start = new Date(from * 1000);
  if (kind === 'hours') start.setHours(row);
  else start.setDate(start.getDate() + row);
  return (kind === 'hours' ? formats.minute : weekday).format(start);
}

/** The day of a column; for weeks the month, if it begins in them. */
function columnName(grid: Grid, column: number): string {
  const start = dayOfColumn(grid, column);
  if (grid.kind === 'hours') return formats.day.format(start);
  return column === 0 || start.getDate() <= 7 ? formats.month.format(start) : '';
}
