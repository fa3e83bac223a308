import { formatDuration } from '../format';
import { many, t } from '../language';
import { Choices } from '../ui/form';
import { useOnline } from '../use-online';
import type { Range } from './points';
import { RangeButton } from './range-picker';
import type { Shapes } from './shape';
import type { Loaded } from './use-points';
import { moved, SPANS, type View, zoomed } from './view';

interface ToolbarProps {
  view: View;
  extent?: Range;
}

/** Chooses the range of a chart. */
export function Toolbar({ view, extent }: ToolbarProps) {
  const { range, span } = view;
  const isAll = extent !== undefined && Math.abs(range.from - extent.from) < 2 && Math.abs(range.to - extent.to) < 2;
  const names = [t('1 h'), t('6 h'), t('1 d'), t('1 w'), t('30 d'), t('1 y')];
  const spans = SPANS.map((seconds, at) => [String(seconds), names[at] ?? ''] as const);
  return (
    <div class="line">
      <Choices<string>
        label={t('Time')}
        value={span === undefined ? (isAll ? 'all' : undefined) : String(span)}
        options={[...spans, ...(extent ? ([['all', t('All|data')]] as const) : [])]}
        onValue={(chosen) => (chosen === 'all' && extent ? view.show(extent) : view.showLatest(Number(chosen)))}
      />
      <RangeButton view={view} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere */}
      <div class="choices" role="group" aria-label={t('Move and zoom')}>
        {WAYS.map(([sign, name, change]) => (
          <button key={sign} type="button" title={name} aria-label={name} onClick={() => view.show(change(range))}>
            {sign}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The resolution of a chart, and whether it follows the clock. */
export function Freshness({ view: { span }, loaded, shapes }: { view: View; loaded: Loaded; shapes: Shapes }) {
  const online = useOnline();
  const resolution = Math.max(0, ...[...loaded.points.values()].map(({ interval }) => interval));
  const state = loaded.isLive ? t('live') : online ? updates(loaded.everySeconds) : t('offline');
  return (
    <span class="line small quiet">
      {resolution > 0 && <span>{resolutionOf(shapes, formatDuration(resolution))}</span>}
      {span !== undefined && <span class={`live ${loaded.isLive ? 'on' : ''}`}>{state}</span>}
    </span>
  );
}

function updates(seconds: number): string {
  return seconds % 60 === 0
    ? many(seconds / 60, 'updates every minute', 'updates every {n} minutes')
    : many(seconds, 'updates every second', 'updates every {n} seconds');
}

/** Numbers are shown by their means, other values by the last one. */
function resolutionOf({ lines, bands }: Shapes, every: string): string {
  if (lines.length === 0) return t('last value of every {every}', { every });
  return bands.length === 0
    ? t('mean of every {every}', { every })
    : t('mean of every {every}, of texts the last value', { every });
}

const WAYS: readonly (readonly [sign: string, name: string, change: (range: Range) => Range])[] = [
  ['‹', t('Back'), (range) => moved(range, -0.5)],
  ['−', t('Zoom out'), (range) => zoomed(range, 2)],
  ['+', t('Zoom in'), (range) => zoomed(range, 0.5)],
  ['›', t('Forward'), (range) => moved(range, 0.5)],
];

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
