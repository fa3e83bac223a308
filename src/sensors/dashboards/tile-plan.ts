import type { RowDataPacket } from 'mysql2/promise';
import { type Coordinate, parseOutline, parsePosition } from '../../language/zones/coordinates';
import { NotFound } from '../../platform/errors';
import type { Reader } from '../../storage/read-pool';
import { METRES_PER_DEGREE } from '../environments/outline-bounds';
import type { Tile } from './dashboard';

/** Parts of the side of a square with north above, from its upper left corner. */
export interface Spot {
  x: number;
  y: number;
}

/** Without coordinates. */
export interface TilePlan {
  outline: Spot[];
  /** By its middle; degrees clockwise. */
  picture: (Spot & { width: number; height: number; rotation: number; changedMs: number }) | null;
  spots: ReadonlyMap<number, Spot>;
}

const MOST_PLACED = 200;
/** Metres. */
const LEAST_REACH = 2;
const ROOM = 1.1;

/** Undefined without the environment. */
export async function readPlan(
  reads: Reader,
  ownerId: number,
  environmentId: number,
  shownSensorsSql: string,
): Promise<TilePlan | undefined> {
  const [[row]] = await reads.query<RowDataPacket[]>(
    `SELECT e.gps_outline AS outline, p.position, p.width, p.rotation, p.pixel_width AS pixelWidth,
       p.pixel_height AS pixelHeight, p.changed_ms AS changedMs
     FROM environments e LEFT JOIN floor_plans p ON p.environment_id = e.id WHERE e.id = ? AND e.owner_id = ?`,
    [environmentId, ownerId],
  );
  if (!row) return undefined;
  const [placed] = await reads.query<RowDataPacket[]>(
    `SELECT sensor_id AS sensorId, position FROM environment_sensors
     WHERE environment_id = ? AND owner_id = ? AND position <> '' AND sensor_id IN (${shownSensorsSql})
     ORDER BY sensor_id LIMIT ${MOST_PLACED}`,
    [environmentId, ownerId],
  );
  return drawn(row, placed);
}

/** Throws NotFound without a picture. */
export async function readPlanImage(
  reads: Reader,
  ownerId: number,
  tile: Pick<Tile, 'environment'> | undefined,
): Promise<{ type: string; image: Buffer }> {
  const [[row]] = await reads.query<RowDataPacket[]>(
    `SELECT p.type, p.image FROM floor_plans p JOIN environments e ON e.id = p.environment_id
     WHERE e.id = ? AND e.owner_id = ?`,
    [tile?.environment ?? 0, ownerId],
  );
  if (!row) throw new NotFound('the floor plan');
  return { type: row.type, image: row.image };
}

function drawn(row: RowDataPacket, placed: readonly RowDataPacket[]): TilePlan {
  const outline = parseOutline(String(row.outline ?? ''));
  const middle = row.position === null ? undefined : read(row.position);
  const places = placed.flatMap(({ sensorId, position }) => {
    const place = read(position);
    return place ? [[Number(sensorId), place] as const] : [];
  });
  const corners = outline.ok ? (outline.value[0] ?? []) : [];
  const size = { width: Number(row.width), height: (Number(row.width) * row.pixelHeight) / row.pixelWidth };
  const plane = planeOf([...corners, ...(middle ? [middle] : []), ...places.map(([, place]) => place)], middle, size);
  return {
    outline: corners.map(plane.spotOf),
    picture: middle
      ? {
          ...plane.spotOf(middle),
          ...{ width: size.width / plane.side, height: size.height / plane.side },
          ...{ rotation: Number(row.rotation), changedMs: Number(row.changedMs) },
        }
      : null,
    spots: new Map(places.map(([id, place]) => [id, plane.spotOf(place)])),
  };
}

function read(position: string): Coordinate | undefined {
  const parsed = parsePosition(position);
  return parsed.ok ? parsed.value : undefined;
}

/** The square around all of these, and the picture in any rotation. */
function planeOf(
  shown: readonly Coordinate[],
  picture: Coordinate | undefined,
  { width, height }: { width: number; height: number },
) {
  const centre = {
    latitude: middleOf(shown.map((one) => one.latitude)),
    longitude: middleOf(shown.map((one) => one.longitude)),
  };
  const scale = METRES_PER_DEGREE * Math.cos((centre.latitude * Math.PI) / 180);
  const metres = ({ latitude, longitude }: Coordinate) => ({
    x: (longitude - centre.longitude) * scale,
    y: (centre.latitude - latitude) * METRES_PER_DEGREE,
  });
  const farthest = (one: Coordinate, around = 0) => Math.max(...Object.values(metres(one)).map(Math.abs)) + around;
  const reach = Math.max(
    LEAST_REACH,
    ...shown.map((one) => ROOM * farthest(one)),
    picture ? farthest(picture, Math.max(width, height) / 2) : 0,
  );
  const spotOf = (one: Coordinate): Spot => {
    const { x, y } = metres(one);
    return { x: partOf(x / reach), y: partOf(y / reach) };
  };
  return { side: 2 * reach, spotOf };
}

/** A ten-thousandth of a side is less than a pixel. */
function partOf(ofReach: number): number {
  return Math.round((0.5 + ofReach / 2) * 10_000) / 10_000;
}

function middleOf(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : (Math.min(...numbers) + Math.max(...numbers)) / 2;
}
