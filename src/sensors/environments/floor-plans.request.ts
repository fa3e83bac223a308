import { readId } from '../../edge/id';
import { parsePosition } from '../../language/zones/coordinates';
import { InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import { type ImageHeader, readImageHeader } from './image-header';

/** Maximum size of a picture, in bytes, and of each of its sides, in pixels. */
const [MOST_BYTES, MOST_PIXELS] = [1024 * 1024, 4_096];

/** A picture, and where it lies. */
export interface FloorPlanFields {
  /**
   * A PNG, JPEG or WebP picture of at most 1 MB and 4,096 pixels on each side, in base64. Required for a new floor plan.
   * @example "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGO4DAAA0gDRJ1+/BgAAAABJRU5ErkJggg=="
   */
  image?: string;
  /**
   * `<latitude> <longitude>` of its middle. A new floor plan without it lies on the middle of the environment's outline,
   * otherwise on its position.
   * @maxLength 255
   * @example "51.9037 4.4604"
   */
  position?: string;
  /**
   * The distance that its width covers, in metres. A new floor plan without it is as wide as the outline.
   * @minimum 0.1
   * @maximum 100000
   * @example 24.5
   */
  width?: number;
  /**
   * Degrees clockwise; with 0 its upper edge is in the north.
   * @minimum -360
   * @maximum 360
   * @example 0
   */
  rotation?: number;
}

/** Sets or changes the floor plan of an environment. Fields that are not given keep their values. */
export interface FloorPlanRequest {
  floor_plan: FloorPlanFields;
}

/** The position of a sensor. */
export interface SensorPosition {
  /**
   * @maxLength 20
   * @example "42"
   */
  sensor_id: string;
  /**
   * `<latitude> <longitude>`, optionally followed by an `<altitude>`; `null` takes the sensor off the plan.
   * @maxLength 255
   * @example "51.9037 4.4604"
   */
  position: string | null;
}

/** Moves sensors of an environment. */
export interface SensorPositionsRequest {
  /**
   * @minItems 1
   * @maxItems 500
   */
  positions: SensorPosition[];
}

/** Reads a floor plan. InvalidInput if the image is not a picture of these types, or too large. */
export function readFloorPlan({ image, position, width, rotation }: FloorPlanFields) {
  if (position !== undefined) requirePosition(position, 'floor_plan.position');
  return withoutUndefined({ position, width, rotation, ...(image !== undefined && readImage(image)) });
}

function readImage(text: string) {
  const refused = (why: string) => InvalidInput.field('floor_plan.image', why);
  if (text.length > Math.ceil(MOST_BYTES / 3) * 4) throw refused('must be at most 1 MB');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw refused('must be base64');
  const image = Buffer.from(text, 'base64');
  if (image.length > MOST_BYTES) throw refused('must be at most 1 MB');
  const header: ImageHeader | undefined = readImageHeader(image);
  if (!header) throw refused('must be a PNG, JPEG or WebP picture');
  const { type, width: pixelWidth, height: pixelHeight } = header;
  if (Math.max(pixelWidth, pixelHeight) > MOST_PIXELS) {
    throw refused(`is ${pixelWidth} × ${pixelHeight} pixels; at most 4,096 on each side`);
  }
  return { image, imageBytes: image.length, type, pixelWidth, pixelHeight };
}

/** Reads the positions of sensors; `""` for none. */
export function readPositions({ positions }: SensorPositionsRequest): { sensorId: number; position: string }[] {
  return positions.map(({ sensor_id, position }, at) => {
    if (position) requirePosition(position, `positions[${at}].position`);
    return { sensorId: readId(sensor_id, `sensor ${sensor_id}`), position: position ?? '' };
  });
}

function requirePosition(text: string, field: string): void {
  const parsed = parsePosition(text);
  if (!parsed.ok) throw InvalidInput.field(field, parsed.reason);
}
