import type { Coordinate } from './coordinates';

/**
 * Edges are straight in longitude and latitude (RFC 7946). One of more than 180 degrees takes the short way over the
 * date line, except between -180 and 180: that is a whole parallel. So longitudes may be beyond 180.
 */
export interface Loop {
  /** Latitude and longitude of each corner, with the first one at the end again. */
  corners: Float64Array;
  south: number;
  north: number;
  west: number;
  east: number;
}

export type Place = 'inside' | 'outside' | 'edge';

/** Degrees. */
export const AROUND = 360;
export function loopOf(points: readonly Coordinate[]): Loop {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = unwrapped(points.map(({ longitude }) => longitude));
  const corners = new Float64Array(2 * points.length + 2);
  for (let at = 0; at <= points.length; at += 1) {
    corners[2 * at] = latitudes[at % points.length] ?? 0;
    corners[2 * at + 1] = longitudes[at % points.length] ?? 0;
  }
  const [south, north] = endsOf(latitudes);
  const [west, east] = endsOf(longitudes);
  return { corners, south, north, west, east };
}

export function placeIn(loop: Loop, latitude: number, longitude: number): Place {
  if (latitude < loop.south || latitude > loop.north) return 'outside';
  let found = placeAt(loop, latitude, longitude);
  if (found === 'outside') found = placeAt(loop, latitude, longitude + AROUND);
  return found === 'outside' ? placeAt(loop, latitude, longitude - AROUND) : found;
}

/** On a sphere with the radius 1: the integral of the sine of the latitude along the edges. */
export function areaOf({ corners }: Loop): number {
  let area = 0;
  for (let at = 0; at < corners.length - 2; at += 2) {
    const [ay = 0, ax = 0, by = 0, bx = 0] = corners.subarray(at, at + 4);
    area += radians(bx - ax) * meanSine(radians(ay), radians(by));
  }
  return Math.abs(area);
}

function placeAt({ corners, west, east }: Loop, y: number, x: number): Place {
  if (x < west || x > east) return 'outside';
  let isInside = false;
  for (let at = 0; at < corners.length - 2; at += 2) {
    const passed = passEast(corners, at, y, x);
    if (passed === 'edge') return 'edge';
    if (passed) isInside = !isInside;
  }
  return isInside ? 'inside' : 'outside';
}

/** True if a line from the place to the east crosses the edge whose corners begin at this index. */
export function passEast(corners: Float64Array, at: number, y: number, x: number): boolean | 'edge' {
  const ay = corners[at] ?? 0;
  const by = corners[at + 2] ?? 0;
  const ax = corners[at + 1] ?? 0;
  const bx = corners[at + 3] ?? 0;
  if (ay > y === by > y) return by === y && (bx === x || (ay === y && ax > x !== bx > x)) ? 'edge' : false;
  const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
  return side === 0 ? 'edge' : side > 0 === by > ay;
}

/** As given if the short ways around the earth do not lead back to the beginning: around a pole. */
function unwrapped(longitudes: readonly number[]): readonly number[] {
  let shift = 0;
  let before = longitudes.at(-1) ?? 0;
  const ways = longitudes.map((longitude) => {
    const step = longitude - before;
    if (Math.abs(step) > AROUND / 2 && Math.abs(step) < AROUND) shift -= Math.sign(step) * AROUND;
    before = longitude;
    return longitude + shift;
  });
  const [west, east] = endsOf(ways);
  return shift === 0 && east - west <= AROUND ? ways : longitudes;
}

function endsOf(numbers: readonly number[]): [low: number, high: number] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function meanSine(a: number, b: number): number {
  // The mean of near latitudes, without the difference of near cosines.
  const half = (b - a) / 2;
  return Math.sin((a + b) / 2) * (half === 0 ? 1 : Math.sin(half) / half);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
