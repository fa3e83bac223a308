import { useRef, useState } from 'preact/hooks';
import { Board } from '../../dashboards/board';
import { exchanged, freePlace, moved, nudged, resized, type Step } from '../../dashboards/grid';
import type { Source, Tile } from '../../dashboards/source';
import { KINDS } from '../../dashboards/tile-view';
import { useDraft } from '../../drafts';
import { t } from '../../language';
import { searchOf } from '../../search/selectors';
import { useAction } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Field, Refusal } from '../../ui/form';
import { Empty, Page } from '../../ui/page';
import { useUnsaved } from '../../unsaved';
import { useNames } from '../names';
import { type Dashboard, save } from './load';
import { TileForm } from './tile-form';

/** A tile, and its position in the stored dashboard while it shows the same. */
type Draft = Tile & { storedAt?: number };

const MOST_TILES = 50;

/** The unsaved name and tiles, and what was last said about a tile that moved. */
function useLayout(dashboard: Dashboard) {
  const [name, setName] = useDraft('dashboard name', dashboard.name);
  const [version] = useDraft('dashboard version', dashboard.version);
  const [tiles, setTiles] = useDraft<readonly Draft[]>('dashboard', () =>
    dashboard.tiles.map((tile, storedAt) => ({ ...tile, storedAt })),
  );
  const first = useRef(tiles).current;
  useUnsaved(tiles !== first || name !== dashboard.name);
  const [said, announce] = useState('');
  const { sensors: names } = useNames();
  const titleOf = ({ text, sensors = [], selector }: Tile) =>
    text || (selector ? searchOf(selector) : sensors.flatMap((id) => names.get(id) ?? []).join(', ')) || '';
  return {
    ...{ name, setName, tiles, titleOf, said },
    put: (next: readonly Draft[], at: number) => {
      setTiles(next);
      if (next[at]) announce(placeOf({ ...next[at], text: titleOf(next[at]) }));
    },
    add: (tile: Tile) => setTiles([...tiles, { ...tile, ...freePlace(tiles, tile) }]),
    replace: (at: number, tile: Tile) =>
      setTiles(tiles.map((one, index) => (index === at ? { ...tile, storedAt: undefined } : one))),
    remove: (at: number) => setTiles(tiles.filter((_, index) => index !== at)),
    save: () => {
      const changed = tiles.map(({ storedAt: _, ...tile }) => tile);
      return save({ ...dashboard, name, version }, changed);
    },
  };
}

/** Arranges the tiles of a dashboard. Nothing is stored before *Save*. */
export function DashboardEditor({
  dashboard,
  source,
  close,
}: {
  dashboard: Dashboard;
  source: Source;
  close: () => void;
}) {
  const layout = useLayout(dashboard);
  const { name, tiles } = layout;
  const { busy, error, run } = useAction();
  const place = useRef<HTMLDivElement>(null);
  const store = async () => {
    await layout.save();
    close();
  };
  const canSave = !busy && name.trim() !== '';
  return (
    <Page
      title={t('Edit {name}', { name: dashboard.name })}
      crumb={{ path: '/dashboards', name: t('Dashboards') }}
      actions={
        <>
          {tiles.length < MOST_TILES && (
            <DialogButton text={t('Add tile')} title={t('New tile')}>
              {(done) => (
                <TileForm tile={undefined} selector={tiles.at(-1)?.selector} onTile={layout.add} close={done} />
              )}
            </DialogButton>
          )}
          <button type="button" class="button quiet-button" onClick={close}>
            {t('Cancel')}
          </button>
          <button type="button" class="button primary" disabled={!canSave} onClick={() => void run(store)}>
            {t('Save')}
          </button>
        </>
      }
    >
      {error !== undefined && <Refusal error={error} />}
      <Field label={t('Name')} value={name} onValue={layout.setName} maxLength={255} />
      <Help isEmpty={tiles.length === 0} said={layout.said} />
      <Board
        {...{ tiles, source, place }}
        version={dashboard.version}
        storedAt={(at) => tiles[at]?.storedAt}
        titleOf={layout.titleOf}
        controls={(at) => (
          <Controls
            {...{ tiles, at, place, put: layout.put, titleOf: layout.titleOf }}
            onTile={(tile) => layout.replace(at, tile)}
            remove={() => layout.remove(at)}
          />
        )}
      />
    </Page>
  );
}

function Help({ isEmpty, said }: { isEmpty: boolean; said: string }) {
  return (
    <>
      {isEmpty ? (
        <Empty title={t('No tiles yet')}>
          <p>{t('A tile shows a chart, a value, states, alerts or a note.')}</p>
        </Empty>
      ) : (
        <p class="quiet small" id="arrange">
          {t('Drag a tile by its bar, or focus its bar: arrow keys move it, with Shift they change its size.')}
        </p>
      )}
      <div class="only-read" role="status">
        {said}
      </div>
    </>
  );
}

function placeOf({ x, y, w, h, ...tile }: Draft): string {
  return t('{tile}: column {x}, row {y}, {w} wide, {h} high', { tile: nameOf(tile), x: x + 1, y: y + 1, w, h });
}

function nameOf({ kind, text }: Pick<Tile, 'kind' | 'text'>): string {
  return text ? `${t(KINDS[kind])} ${text.slice(0, 40)}` : t(KINDS[kind]);
}

interface ControlsProps {
  tiles: readonly Draft[];
  at: number;
  place: { current: HTMLDivElement | null };
  put: (tiles: readonly Draft[], at: number) => void;
  titleOf: (tile: Tile) => string;
  onTile: (tile: Tile) => void;
  remove: () => void;
}

const KEYS: Readonly<Record<string, Step>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** On a phone, where tiles are in one column. */
const STEPS = [
  [-1, '↑', 'Up'],
  [1, '↓', 'Down'],
] as const;

/** The bar of a tile that is arranged, and its corner. */
function Controls({ tiles, at, place, put, titleOf, onTile, remove }: ControlsProps) {
  const tile = tiles[at];
  const drag = (act: typeof moved) => (event: PointerEvent) => {
    const size = cellOf(place.current);
    if (!size || event.button !== 0) return;
    follow(event, (dx, dy) => put(act(tiles, at, { x: Math.round(dx / size.x), y: Math.round(dy / size.y) }), at));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    put((event.shiftKey ? resized : nudged)(tiles, at, step), at);
  };
  if (!tile) return null;
  const name = nameOf({ ...tile, text: titleOf(tile) });
  return (
    <div class="tile-bar">
      <button
        type="button"
        class="tile-handle"
        aria-label={t('Move {tile}', { tile: name })}
        aria-describedby="arrange"
        onKeyDown={onKeyDown}
        onPointerDown={drag(moved)}
      >
        ⋮⋮
      </button>
      {STEPS.map(([by, arrow, text]) => (
        <button
          key={arrow}
          type="button"
          class="button small-button tile-step"
          aria-label={`${t(text)}: ${name}`}
          onClick={() => put(exchanged(tiles, at, by), at)}
        >
          {arrow}
        </button>
      ))}
      <DialogButton text={t('Edit')} title={t('Edit tile')} kind="small-button" label={t('Edit {name}', { name })}>
        {(done) => <TileForm tile={tile} onTile={onTile} close={done} />}
      </DialogButton>
      <button
        type="button"
        class="button small-button"
        aria-label={t('Remove {tile}', { tile: name })}
        onClick={remove}
      >
        {t('Remove')}
      </button>
      <span class="tile-corner" onPointerDown={drag(resized)} />
    </div>
  );
}

/** The size of a cell of the grid in pixels, with its gap. */
function cellOf(grid: HTMLElement | null): Step | undefined {
  if (!grid) return undefined;
  const { columnGap, rowGap, gridAutoRows } = getComputedStyle(grid);
  const gap = Number.parseFloat(columnGap);
  return { x: (grid.clientWidth + gap) / 12, y: Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap) };
}

/** Reports how far a pointer has moved since it was pressed, until it is released. */
function follow({ target, pointerId, clientX, clientY }: PointerEvent, onMove: (dx: number, dy: number) => void): void {
  if (!(target instanceof Element)) return;
  const end = new AbortController();
  const { signal } = end;
  target.setPointerCapture(pointerId);
  const move = (event: Event) => {
    if (event instanceof PointerEvent) onMove(event.clientX - clientX, event.clientY - clientY);
  };
  target.addEventListener('pointermove', move, { signal });
  for (const name of ['pointerup', 'pointercancel']) target.addEventListener(name, () => end.abort(), { signal });
}
