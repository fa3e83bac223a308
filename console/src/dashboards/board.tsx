import type { ComponentChildren, RefObject } from 'preact';
import { type Place, rowsOf, settled } from './grid';
import { BoardContext, type Board as Setting, type Tile } from './source';
import { TileView } from './tile-view';

interface BoardProps extends Setting {
  tiles: readonly Tile[];
  /** The position of a tile in the stored dashboard, whose data it shows; undefined for one that is not stored. */
  storedAt?: (at: number) => number | undefined;
  /** What is added to each tile while they are arranged. */
  controls?: (at: number) => ComponentChildren;
  place?: RefObject<HTMLDivElement | null>;
}

/**
 * Tiles on their grid: 12 columns, or one on a phone. On a wall they fill the screen. A tile keeps its position in the
 * list while it moves.
 */
export function Board({ tiles, storedAt = (at) => at, controls, place, ...setting }: BoardProps) {
  const placed = settled(tiles);
  const style = setting.isWall ? { '--rows': String(Math.max(1, rowsOf(placed))) } : {};
  return (
    <BoardContext.Provider value={setting}>
      <div ref={place} class={`board ${setting.isWall ? 'wall-board' : ''}`} style={style}>
        {placed.map((tile, at) => (
          <section key={at} class={`tile tile-${tile.kind}`} style={styleOf(tile)}>
            {controls?.(at)}
            <TileView tile={tile} at={storedAt(at)} />
          </section>
        ))}
      </div>
    </BoardContext.Provider>
  );
}

function styleOf({ x, y, w, h }: Place) {
  return { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}`, '--h': String(h) };
}
