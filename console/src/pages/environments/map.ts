import { fromPlane, onPlane, type Plane } from './geometry';

/** The map that the operator of the platform has configured. */
export interface MapSource {
  /** With `{z}`, `{x}` and `{y}`. */
  url: string;
  attribution: string;
}

/** A tile, and its position on a plane, as fractions of the plane's width. */
export interface Tile {
  address: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

const FINEST = 19;
const MOST_TILES = 64;
/** Web Mercator ends at this latitude. */
const MERCATOR_END = 85.05;

/** Read from the page; undefined without a map, which is the default. */
export function mapSource(): MapSource | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="map-tiles"]');
  return meta ? { url: meta.content, attribution: meta.dataset.attribution ?? '' } : undefined;
}

/** The tiles of 256 pixels (Web Mercator) that cover a plane of this width in pixels. */
export function tilesOf({ url }: MapSource, { centre, reach }: Plane, pixels: number): Tile[] {
  const northWest = clamped(fromPlane({ x: -reach, y: -reach }, centre));
  const southEast = clamped(fromPlane({ x: reach, y: reach }, centre));
  const degrees = southEast.longitude - northWest.longitude;
  const wanted = Math.log2(((360 / degrees) * pixels) / 256);
  for (let z = Math.min(FINEST, Math.max(0, Math.round(wanted))); z >= 0; z -= 1) {
    const [from, to] = [tileAt(northWest, z), tileAt(southEast, z)];
    if ((to.x - from.x + 1) * (to.y - from.y + 1) > MOST_TILES) continue;
    const tiles: Tile[] = [];
    for (let x = from.x; x <= to.x; x += 1) {
      for (let y = from.y; y <= to.y; y += 1) tiles.push(placed(url, { x, y, z }, { centre, reach }));
    }
    return tiles;
  }
  return [];
}

type Degrees = Plane['centre'];

function clamped({ latitude, longitude }: Degrees): Degrees {
  return {
    latitude: Math.max(-MERCATOR_END, Math.min(MERCATOR_END, latitude)),
    longitude: Math.max(-180, Math.min(180 - 1e-9, longitude)),
  };
}

function tileAt({ latitude, longitude }: Degrees, z: number): { x: number; y: number } {
  const angle = (latitude * Math.PI) / 180;
  const y = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2;
  return { x: Math.floor(((longitude + 180) / 360) * 2 ** z), y: Math.min(2 ** z - 1, Math.floor(y * 2 ** z)) };
}

/** The corner of a tile in the north-west. */
function cornerOf(x: number, y: number, z: number): Degrees {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI;
  return { latitude, longitude: (x / 2 ** z) * 360 - 180 };
}

function placed(url: string, { x, y, z }: { x: number; y: number; z: number }, { centre, reach }: Plane): Tile {
  const part = (metres: number) => 0.5 + metres / (2 * reach);
  const [from, to] = [onPlane(cornerOf(x, y, z), centre), onPlane(cornerOf(x + 1, y + 1, z), centre)];
  const [left, top] = [part(from.x), part(from.y)];
  const address = url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
  return { address, left, top, width: part(to.x) - left, height: part(to.y) - top };
}
