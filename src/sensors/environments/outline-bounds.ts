import type { Coordinate } from '../../language/zones/coordinates';

export const METRES_PER_DEGREE = 111_320;

/** Coordinates are degrees with seven decimals, the width west to east is in metres. */
export function boundsOf(outline: readonly Coordinate[]): { latitude: number; longitude: number; width: number } {
  const [south, north] = ends(outline.map(({ latitude }) => latitude));
  const [west, east] = ends(outline.map(({ longitude }) => longitude));
  const latitude = rounded((south + north) / 2);
  const width = (east - west) * METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return { latitude, longitude: rounded((west + east) / 2), width: Math.round(width * 100) / 100 };
}

function ends(numbers: readonly number[]): [low: number, high: number] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** About a centimetre. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
