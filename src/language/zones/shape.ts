import type { Coordinate } from './coordinates';
import { areaOf, type Loop, loopOf, placeIn } from './loop';

/** A place is inside if an odd number of loops contain it, or if it is on an edge. */
export interface Shape {
  loops: readonly Loop[];
  /** On a sphere with the radius 1. */
  area: number;
}

export function shapeOf(outline: readonly (readonly Coordinate[])[]): Shape {
  const loops = outline.map(loopOf);
  return { loops, area: loops.reduce((sum, loop) => sum + (isHole(loop, loops) ? -1 : 1) * areaOf(loop), 0) };
}

/** True in an odd number of other loops. */
function isHole(loop: Loop, loops: readonly Loop[]): boolean {
  const [latitude = 0, longitude = 0] = loop.corners;
  const around = loops.filter((one) => one !== loop && placeIn(one, latitude, longitude) !== 'outside');
  return around.length % 2 === 1;
}
