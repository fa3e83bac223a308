/** A corner of an outline, in degrees, with its altitude if there is one. */
export interface Corner {
  latitude: number;
  longitude: number;
  rest: string;
}

const METRES_PER_DEGREE = 111_320;

/** The corners of `<latitude> <longitude> [<altitude>],…`, without further loops; none for an empty text. */
export function readOutline(text: string): Corner[] {
  return text
    .replace(/;.*/s, '')
    .split(',')
    .map((point) => point.trim().split(/\s+/))
    .filter(([latitude]) => latitude)
    .map(([latitude, longitude, ...rest]) => ({
      latitude: Number(latitude),
      longitude: Number(longitude),
      rest: rest.join(' '),
    }));
}

export function writeOutline(corners: readonly Corner[]): string {
  return corners
    .map(({ latitude, longitude, rest }) => `${round(latitude)} ${round(longitude)}${rest && ` ${rest}`}`)
    .join(',');
}

/** About a millimetre: rooms are small. */
function round(degrees: number): number {
  return Math.round(degrees * 1e8) / 1e8;
}

/** A plane in metres around a point, with axes to the east and south. Small places look undistorted on it. */
export interface Plane {
  centre: { latitude: number; longitude: number };
  /** Half of the width and height, in metres. */
  reach: number;
}

/** The plane that shows all corners, with some room around them: `room` is 1 for none. */
export function planeAround(
  corners: readonly Corner[],
  fallback: Plane['centre'],
  { least = 15, room = 1.35 } = {},
): Plane {
  if (corners.length === 0) return { centre: fallback, reach: Math.max(least, 30) };
  const centre = {
    latitude: middle(corners.map(({ latitude }) => latitude)),
    longitude: middle(corners.map(({ longitude }) => longitude)),
  };
  const far = corners.map((corner) => onPlane(corner, centre)).flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]);
  return { centre, reach: Math.max(least, Math.max(...far) * room) };
}

function middle(values: readonly number[]): number {
  const [low, high] = endsOf(values);
  return (low + high) / 2;
}

/** Metres east and south of the centre. */
export function onPlane({ latitude, longitude }: Pick<Corner, 'latitude' | 'longitude'>, centre: Plane['centre']) {
  const scale = METRES_PER_DEGREE * Math.cos((centre.latitude * Math.PI) / 180);
  return { x: (longitude - centre.longitude) * scale, y: (centre.latitude - latitude) * METRES_PER_DEGREE };
}

/** Inverse of `onPlane`. */
export function fromPlane({ x, y }: { x: number; y: number }, centre: Plane['centre']) {
  const scale = METRES_PER_DEGREE * Math.max(1e-6, Math.cos((centre.latitude * Math.PI) / 180));
  return { latitude: centre.latitude - y / METRES_PER_DEGREE, longitude: centre.longitude + x / scale };
}

/** A sensor is wider than high on a plane, so a grid for sensors has more rows than columns. */
const ROWS = 1.5;

/**
 * As many points within an area as are asked for, spread evenly and away from the taken ones. Without an area they are
 * in the middle part of the plane.
 */
export function freePoints(
  { centre, reach }: Plane,
  area: readonly Corner[],
  taken: readonly Plane['centre'][],
  count: number,
): Plane['centre'][] {
  const side = reach * 1.4;
  const corners = (area.length > 2 ? area : rectangle(centre, side, side)).map((corner) => onPlane(corner, centre));
  const places = taken.map((one) => onPlane(one, centre));
  const most = 4 * (count + taken.length) + 20;
  for (let cells = count; ; cells += 1) {
    const { points, x, y } = gridIn(corners, cells);
    const isFree = (one: Point) =>
      places.every((place) => Math.abs(place.x - one.x) > x || Math.abs(place.y - one.y) > y);
    const free = points.filter(isFree);
    if (free.length < count && cells < most) continue;
    return Array.from({ length: count }, (_, at) => fromPlane(free[at] ?? { x: 0, y: 0 }, centre));
  }
}

type Point = ReturnType<typeof onPlane>;

/** The middle of each cell of a grid that is inside an outline; `x` and `y` are the least distances to other points. */
function gridIn(corners: readonly Point[], cells: number) {
  const columns = Math.ceil(Math.sqrt(cells / ROWS));
  const rows = Math.ceil(cells / columns);
  const [left, right] = endsOf(corners.map(({ x }) => x));
  const [top, bottom] = endsOf(corners.map(({ y }) => y));
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  const points = Array.from({ length: columns * rows }, (_, at) => ({
    x: left + width * ((at % columns) + 0.5),
    y: top + height * (Math.floor(at / columns) + 0.5),
  }));
  return { points: points.filter((point) => isInside(point, corners)), x: width * 0.55, y: height * 0.55 };
}

function endsOf(values: readonly number[]): [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** True if a line from the point to the right crosses the outline an odd number of times. */
function isInside({ x, y }: Point, corners: readonly Point[]): boolean {
  const crossed = corners.filter((one, at) => {
    const other = corners.at(at - 1) ?? one;
    return one.y > y !== other.y > y && x < one.x + ((y - one.y) * (other.x - one.x)) / (other.y - one.y);
  });
  return crossed.length % 2 === 1;
}

/** Square metres within an outline. */
export function areaOf(corners: readonly Corner[]): number {
  const [first] = corners;
  if (!first || corners.length < 3) return 0;
  const points = corners.map((corner) => onPlane(corner, first));
  const sum = points.reduce((total, { x, y }, at) => {
    const next = points[(at + 1) % points.length] ?? { x, y };
    return total + x * next.y - next.x * y;
  }, 0);
  return Math.abs(sum) / 2;
}

/** A round length in metres that is about a quarter of the given one: for a scale. */
export function scaleLength(metres: number): number {
  const wanted = metres / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= wanted) ?? power;
}

/** The corners of a rectangle of this width (west to east) and length, in metres. */
export function rectangle(centre: Plane['centre'], width: number, length: number): Corner[] {
  const [x, y] = [width / 2, length / 2];
  return [
    { x: -x, y: -y },
    { x, y: -y },
    { x, y },
    { x: -x, y },
  ].map((corner) => ({ ...fromPlane(corner, centre), rest: '' }));
}

/** A picture of a floor, and where it lies. */
export interface PlacedPicture {
  position: string;
  /** In metres. */
  width: number;
  /** Degrees clockwise. */
  rotation: number;
  pixel_width: number;
  pixel_height: number;
}

/** The corners of a picture. */
export function cornersOf({ position, width, rotation, pixel_width, pixel_height }: PlacedPicture): Corner[] {
  const [centre] = readOutline(position);
  if (!centre) return [];
  const [sin, cos] = [Math.sin((rotation * Math.PI) / 180), Math.cos((rotation * Math.PI) / 180)];
  return rectangle(centre, width, (width * pixel_height) / pixel_width).map((corner) => {
    const { x, y } = onPlane(corner, centre);
    return { ...fromPlane({ x: x * cos - y * sin, y: x * sin + y * cos }, centre), rest: '' };
  });
}
