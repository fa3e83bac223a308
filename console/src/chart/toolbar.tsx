import { formatDuration, formatMany } from '../format';
import { Choices } from '../ui/form';
import type { Range } from './load';
import type { Shapes } from './shape';
import type { Loaded } from './use-points';
import { moved, SPANS, type View, zoomed } from './view';

interface ToolbarProps {
  view: View;
  extent?: Range;
  loaded: Loaded;
  shapes: Shapes;
}

/** Chooses the range of a chart, and shows its resolution. */
export function Toolbar({ view, extent, loaded, shapes }: ToolbarProps) {
  const { range, span } = view;
  const isAll = extent !== undefined && Math.abs(range.from - extent.from) < 2 && Math.abs(range.to - extent.to) < 2;
  const value = span === undefined ? (isAll ? 'all' : undefined) : String(span);
  const options = [...SPANS, ...(extent ? ([['all', 'All']] as const) : [])];
  const resolution = Math.max(0, ...[...loaded.points.values()].map(({ interval }) => interval));
  return (
    <div class="line spread">
      <div class="line">
        <Choices<string>
          label="Time"
          value={value}
          options={options}
          onValue={(chosen) => (chosen === 'all' && extent ? view.show(extent) : view.showLatest(Number(chosen)))}
        />
        <Choices<'back' | 'out' | 'in' | 'on'>
          label="Move and zoom"
          value={undefined}
          options={[
            ['back', '‹ Back'],
            ['out', 'Zoom out'],
            ['in', 'Zoom in'],
            ['on', 'Forward ›'],
          ]}
          onValue={(way) => view.show(step(range, way))}
        />
      </div>
      <span class="line small quiet">
        {resolution > 0 && <span>{resolutionOf(shapes, formatDuration(resolution))}</span>}
        {span !== undefined && (
          <span class={`live ${loaded.isLive ? 'on' : ''}`}>
            {loaded.isLive ? 'live' : `updates every ${inWords(loaded.everySeconds)}`}
          </span>
        )}
      </span>
    </div>
  );
}

function inWords(seconds: number): string {
  return seconds % 60 === 0 ? formatMany(seconds / 60, 'minute') : formatMany(seconds, 'second');
}

/** Numbers are shown by their means, other values by the last one. */
function resolutionOf({ lines, bands }: Shapes, every: string): string {
  if (lines.length === 0) return `last value of every ${every}`;
  return bands.length === 0 ? `mean of every ${every}` : `mean of every ${every}, of texts the last value`;
}

function step(range: Range, way: 'back' | 'out' | 'in' | 'on'): Range {
  if (way === 'back' || way === 'on') return moved(range, way === 'on' ? 0.5 : -0.5);
  return zoomed(range, way === 'in' ? 0.5 : 2);
}

/** Moves a chart by keyboard: arrows, plus and minus, and Home for the whole range. */
export function keys(view: View, extent: Range | undefined) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { range } = view;
    const next: Record<string, Range | undefined> = {
      ArrowLeft: moved(range, -0.2),
      ArrowRight: moved(range, 0.2),
      '+': zoomed(range, 0.5),
      '=': zoomed(range, 0.5),
      '-': zoomed(range, 2),
      Home: extent,
    };
    const found = next[event.key];
    if (!found) return;
    event.preventDefault();
    view.show(found);
  };
}
