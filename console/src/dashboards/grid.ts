/** A place on the grid: the first column and row, the width and the height. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const COLUMNS = 12;
const TALLEST = 24;

/** A movement on the grid, in columns and rows. */
export interface Step {
  x: number;
  y: number;
}

/** The tiles without overlaps and without empty rows above them, in the same order. */
export function settled<T extends Place>(tiles: readonly T[]): T[] {
  return settleBy(tiles, ({ y }) => y);
}

/** The tiles after one of them has moved. The others make room, and close the gap. */
export function moved<T extends Place>(tiles: readonly T[], at: number, step: Step): T[] {
  const tile = tiles[at];
  if (!tile) return [...tiles];
  const x = clamp(tile.x + step.x, 0, COLUMNS - tile.w);
  const target = { ...tile, x, y: Math.max(0, tile.y + step.y) };
  const next = tiles.map((one, index) => (index === at ? target : one));
  const isDown = step.y > 0;
  // Downwards it passes a tile when its lower edge does, upwards when its upper edge does.
  const edge = (one: T) => (isDown ? one.y + one.h : one.y);
  return settleBy(next, (one) => edge(one) + (one === target ? (isDown ? 0.5 : -0.5) : 0));
}

/** The tiles after one of them has moved by a key: up or down past the next tile in its columns. */
export function nudged<T extends Place>(tiles: readonly T[], at: number, { x, y }: Step): T[] {
  const tile = tiles[at];
  if (!tile || y === 0) return moved(tiles, at, { x, y });
  const near = tiles.filter((one) => one !== tile && sharesColumns(one, tile) && (one.y - tile.y) * y > 0);
  const distances = near.map((one) => (y > 0 ? one.y + one.h - tile.y - tile.h : one.y - tile.y));
  if (distances.length === 0) return [...tiles];
  const nearest = y > 0 ? Math.min(...distances) : Math.max(...distances);
  return moved(tiles, at, { x, y: nearest || y });
}

/** The tiles after one of them has changed places with the one before or after it in the reading order. */
export function exchanged<T extends Place>(tiles: readonly T[], at: number, by: 1 | -1): T[] {
  const order = inReadingOrder(tiles);
  const tile = tiles[at];
  const other = tile && order[order.indexOf(tile) + by];
  if (!other) return [...tiles];
  const to = (one: T, { x, y }: Place) => ({ ...one, x: Math.min(x, COLUMNS - one.w), y });
  return settled(tiles.map((one) => (one === tile ? to(one, other) : one === other ? to(one, tile) : one)));
}

/** The tiles after the size of one of them has changed, within the grid. */
export function resized<T extends Place>(tiles: readonly T[], at: number, step: Step): T[] {
  const next = tiles.map((tile, index) => {
    if (index !== at) return tile;
    return { ...tile, w: clamp(tile.w + step.x, 1, COLUMNS - tile.x), h: clamp(tile.h + step.y, 1, TALLEST) };
  });
  return settled(next);
}

/** The first free place of this size, from the top left; at the latest below all tiles. */
export function freePlace(tiles: readonly Place[], { w, h }: Pick<Place, 'w' | 'h'>): Place {
  const end = rowsOf(tiles);
  for (let y = 0; y < end; y += 1) {
    for (let x = 0; x + w <= COLUMNS; x += 1) {
      if (!tiles.some((tile) => overlaps(tile, { x, y, w, h }))) return { x, y, w, h };
    }
  }
  return { x: 0, y: end, w, h };
}

/** The number of rows that the tiles take. */
export function rowsOf(tiles: readonly Place[]): number {
  return tiles.reduce((rows, { y, h }) => Math.max(rows, y + h), 0);
}

/** The tiles in the order in which people read them: by row, then by column. */
export function inReadingOrder<T extends Place>(tiles: readonly T[]): T[] {
  return [...tiles].sort((a, b) => a.y - b.y || a.x - b.x);
}

/** Places the tiles by this order from the top: each as high as those before it in its columns allow. */
function settleBy<T extends Place>(tiles: readonly T[], rank: (tile: T) => number): T[] {
  const placed = new Map<T, T>();
  for (const tile of [...tiles].sort((a, b) => rank(a) - rank(b) || a.x - b.x)) {
    const above = [...placed.values()].filter((one) => sharesColumns(one, tile));
    placed.set(tile, { ...tile, y: rowsOf(above) });
  }
  return tiles.map((tile) => placed.get(tile) ?? tile);
}

function sharesColumns(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w;
}

function overlaps(a: Place, b: Place): boolean {
  return sharesColumns(a, b) && a.y < b.y + b.h && b.y < a.y + a.h;
}

function clamp(number: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, number));
}
