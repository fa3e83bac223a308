import type { ComponentChildren, RefObject } from 'preact';
import { type Place, rowsOf, settled } from './grid';
import type { Source, Tile } from './source';
import { TileView } from './tile-view';

interface BoardProps {
  version: number;
  source: Source;
  /** True if it hangs on a wall, and fills the screen. */
  isWall?: boolean;
  tiles: readonly Tile[];
  /** The position of a tile in the stored dashboard, whose data it shows; undefined for one that is not stored. */
  storedAt?: (at: number) => number | undefined;
  /** The heading of a tile that is not stored. */
  titleOf?: (tile: Tile) => string;
  /** What is added to each tile while they are arranged. */
  controls?: (at: number) => ComponentChildren;
  place?: RefObject<HTMLDivElement | null>;
}

/**
 * Tiles on their grid: 12 columns, or one on a phone. On a wall they fill the screen. A tile keeps its position in the
 * list while it moves.
 */
export function Board({
  tiles,
  storedAt = (at) => at,
  titleOf,
  controls,
  place,
  isWall = false,
  ...shared
}: BoardProps) {
  const placed = settled(tiles);
  const style = isWall ? { '--rows': String(Math.max(1, rowsOf(placed))) } : {};
  return (
    <div ref={place} class={`board ${isWall ? 'wall-board' : ''}`} style={style}>
      {placed.map((tile, at) => (
        <section
          key={at}
          class={`tile tile-${tile.kind} ${tile.h < 3 ? 'low' : ''}`}
          style={styleOf(tile)}
          tabIndex={tile.kind === 'note' ? 0 : undefined} // a long text scrolls, also by the keyboard
        >
          {controls?.(at)}
          <TileView {...shared} tile={tile} at={storedAt(at)} title={titleOf?.(tile)} />
        </section>
      ))}
    </div>
  );
}

/** On a phone, which has one column, tiles come in their reading order. */
function styleOf({ x, y, w, h }: Place) {
  return { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}`, order: String(y * 12 + x) };
}
