import type { ComponentChildren } from 'preact';
import { type Room, useRoom } from './use-room';

/** Sizes of the text of rows, as parts of the text of their place. */
const SIZES = [1, 0.85, 0.75];
const ROW = 1.9;
/** On a phone the page scrolls, and the tile is as high as its rows. */
const PHONE = '(max-width: 45rem)';

interface ListProps<T> {
  /** The most important first. */
  items: readonly T[];
  keyOf: (item: T, at: number) => string | number;
  /** Least width of a row in sizes of its text. */
  width: number;
  /** The content of a row; of a small one there is less. */
  rowOf: (item: T, isSmall: boolean) => ComponentChildren;
  /** What is said about the items that are out of sight, by how many are shown. */
  restOf: (shown: number) => ComponentChildren;
}

/** As many rows as fit: a wall does not scroll. Rows get smaller, and go into columns, before any is left out. */
export function TileList<T>({ items, keyOf, width, rowOf, restOf }: ListProps<T>) {
  const [place, room] = useRoom();
  const { size, columns, most } = window.matchMedia(PHONE).matches ? ALL : fitting(room, items.length, width);
  const shown = items.slice(0, most);
  return (
    <>
      <div ref={place} class="tile-room">
        <ul
          class="tile-list"
          style={{ fontSize: `${size}em`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {shown.map((item, at) => (
            <li key={keyOf(item, at)}>{rowOf(item, size < 1)}</li>
          ))}
        </ul>
      </div>
      {restOf(shown.length)}
    </>
  );
}

interface Fit {
  size: number;
  columns: number;
  most: number;
}

const ALL: Fit = { size: 1, columns: 1, most: Number.POSITIVE_INFINITY };

/** The largest text with which all rows fit, or else the smallest. */
function fitting({ width, height, text }: Room, count: number, least: number): Fit {
  const fits = SIZES.map((size) => {
    const inside = (space: number, parts: number) => Math.max(1, Math.floor(space / (parts * size * text)));
    const rows = inside(height, ROW);
    const columns = Math.min(inside(width, least), Math.ceil(count / rows));
    return { size, columns, most: columns * rows };
  });
  return fits.find(({ most }) => most >= count) ?? fits.at(-1) ?? ALL;
}
