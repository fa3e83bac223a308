import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { formatDate, formatShort } from '../format';
import { many, t } from '../language';
import { Bands } from './bands';
import type { Bound } from './bound-lines';
import { DATES, gutterOf, MARGIN, STACKED, TEXT } from './layout';
import type { Mark, Threshold } from './marks';
import { type Panel, panelsOf } from './panels';
import { type Over, Plot } from './plot';
import type { Range } from './points';
import type { Line, Shapes } from './shape';

/** Height of a chart that shows only dates, in pixels. */
const AXIS_ONLY = 52;
const LOWEST_PANEL = 110;

/** What is drawn. */
type Drawn = Pick<Shapes, 'lines' | 'bands'>;

interface StackedProps extends Over {
  /** Only the visible lines. */
  shapes: Drawn;
  range: Range;
  /** Height of one panel in pixels; several share it, and get some more. */
  height: number;
  /** Minimum height of each of several panels in pixels. */
  lowest?: number;
  /** Size of the text on the scales in pixels. */
  text?: number;
  bounds?: readonly Bound[];
  thresholds?: readonly Threshold[];
  /** Called with the width of the scales of numbers in pixels, when it changes. */
  onGutter?: (gutter: number) => void;
}

/**
 * The lines of a chart in panels, one for each unit, and its texts and booleans, above common dates. It only draws: any
 * page can give it the shapes of its points.
 */
export function StackedPlots({
  shapes,
  range,
  height,
  lowest,
  text = TEXT,
  bounds = [],
  thresholds = NOTHING,
  onGutter,
  ...over
}: StackedProps) {
  const { lines, bands } = shapes;
  const syncKey = useId();
  const [widest, setWidest] = useState(0);
  const widen = (needed: number) => setWidest((before) => Math.max(before, needed));
  const panels = useMemo(() => panelsOf(lines), [lines]);
  const hasLines = lines.length > 0;
  // Strips of states have no scale of numbers.
  const gutter = hasLines ? Math.max(gutterOf(text), widest) : MARGIN;
  useEffect(() => onGutter?.(gutter), [gutter]);
  // A plot is drawn again when one of its lists changes, but not when the pointer moves.
  const drawn = useMemo(
    () => (hasLines ? panels : EMPTY).map((panel) => ({ ...panel, thresholds: thresholdsIn(panel, thresholds) })),
    [panels, thresholds],
  );
  const dates = Math.round((DATES * text) / TEXT);
  const plots = drawn.map(({ unit, lines: own, thresholds: limits }, at) => {
    const hasDates = at === drawn.length - 1;
    const named = at === 0 ? { lines: own, bands } : { lines: own, bands: [] };
    return (
      <div key={`${unit} ${own[0]?.at}`} class="panel">
        {hasLines && unit && <div class="panel-unit small quiet">{unit}</div>}
        <Plot
          {...over}
          lines={own}
          range={range}
          bounds={bounds.filter(({ field = '' }) => isIn(panels, at, (line) => isField(line, field)))}
          thresholds={limits}
          height={
            heightOf({ height, lowest, dates }, drawn.length, hasLines || bands.length === 0) + (hasDates ? dates : 0)
          }
          label={describe(named, range, over.marks ?? [])}
          {...{ text, syncKey, hasDates, gutter }}
          onGutter={widen}
        />
      </div>
    );
  });
  return (
    <>
      {hasLines && plots}
      <Bands {...{ bands, range, gutter }}>{!hasLines && plots}</Bands>
    </>
  );
}

const NOTHING: readonly Threshold[] = [];
const EMPTY: readonly Panel[] = [{ unit: '', lines: [] }];

function thresholdsIn({ lines }: Panel, thresholds: readonly Threshold[]): Threshold[] {
  return thresholds.filter(({ sensorId, field }) =>
    lines.some((line) => line.sensorId === sensorId && isField(line, field)),
  );
}

type Heights = Pick<StackedProps, 'height' | 'lowest'> & { dates: number };

function heightOf({ height, lowest = LOWEST_PANEL, dates }: Heights, panels: number, hasNumbers: boolean): number {
  if (!hasNumbers) return AXIS_ONLY - DATES;
  return panels === 1 ? height - dates : Math.round(Math.max(lowest, (height * STACKED) / panels));
}

/** True for the first panel with such a line, or for the first of all panels if there is none. */
function isIn(panels: readonly Panel[], at: number, isWanted: (line: Line) => boolean): boolean {
  return (
    Math.max(
      0,
      panels.findIndex(({ lines }) => lines.some(isWanted)),
    ) === at
  );
}

/** Rules name a field with an underscore for each character that variables cannot have. */
function isField(line: Line, field: string): boolean {
  return line.field === field || line.field.replace(/[^\w.]/g, '_') === field;
}

function describe({ lines, bands }: Drawn, range: Range, marks: readonly Mark[]): string {
  const names = [...lines, ...bands].map(({ name }) => name).join(', ') || t('no data');
  const of = (kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind);
  const fired = [...of('fired'), ...of('trial')].length;
  const notes = of('note').length;
  return [
    t('{names} from {from} to {to}', { names, from: formatShort(range.from), to: formatShort(range.to) }),
    fired > 0 && many(fired, '{n} firing marked', '{n} firings marked'),
    notes > 0 && many(notes, '{n} note', '{n} notes'),
    ...of('named').map(({ date }) => t('{date} marked', { date: formatDate(date) })),
  ]
    .filter(Boolean)
    .join(', ');
}
