import { readId } from '../../edge/id';
import { readListOrSingle } from '../../edge/list-or-single';
import { toColumns } from '../../edge/renaming';
import { type Parsed, parsePosition } from '../../language/zones/coordinates';
import { readOutline } from '../../language/zones/geojson-outline';
import { InvalidInput } from '../../platform/errors';

/** The optional fields of the environment. */
export interface EnvironmentFields {
  /**
   * @maxLength 255
   * @example "office"
   */
  name?: string;
  /**
   * The number of floors.
   * @isInt
   * @minimum 0
   * @maximum 1000
   * @example 3
   */
  floors?: number;
  /**
   * The outline: at least 3 points, separated by commas. A point is `<latitude> <longitude>`, optionally followed by an
   * `<altitude>`. After a semicolon comes a further loop: a hole, or another part. Or a Polygon or MultiPolygon in
   * GeoJSON, as text; it is stored as points. At most 8,000 characters.
   * @example "51.903469 4.459865 0,51.904 4.459865 0,51.904 4.461 0"
   */
  gps_outline?: string;
  /**
   * The centre: `<latitude> <longitude>`, optionally followed by an `<altitude>`.
   * @maxLength 255
   * @example "51.9037 4.4604 0"
   */
  position?: string;
}

/** A new environment. */
export interface NewEnvironmentFields extends EnvironmentFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "office"
   */
  name: string;
}

/** Creates an environment. */
export interface CreateEnvironmentRequest {
  environment: NewEnvironmentFields;
}

/** Changes an environment. */
export interface UpdateEnvironmentRequest {
  environment: EnvironmentFields;
}

/** Refers to a sensor to put into an environment. */
export interface PlacedSensor {
  /**
   * @maxLength 20
   * @example "42"
   */
  id: string;
}

/** The sensors to put into an environment: a list, or a single `sensor`. */
export interface PlaceSensorsRequest {
  sensors?: PlacedSensor[];
  sensor?: PlacedSensor;
}

/** Refers to an environment to make part of another one. */
export interface NestedEnvironment {
  /**
   * @maxLength 20
   * @example "4"
   */
  id: string;
}

/** The environments to make part of another one: a list, or a single `environment`. */
export interface NestEnvironmentsRequest {
  environments?: NestedEnvironment[];
  environment?: NestedEnvironment;
}

/** Reads the given fields of an environment. */
export function readEnvironment(fields: EnvironmentFields) {
  const outline = check('gps_outline', fields.gps_outline, readOutline);
  check('position', fields.position, parsePosition);
  const stored = outline === undefined ? fields : { ...fields, gps_outline: outline };
  return toColumns(stored, ['name', 'floors', 'gpsOutline', 'position']);
}

/** Reads the ids from either form; at least one is required. */
export function readPlacedSensors({ sensors, sensor }: PlaceSensorsRequest): number[] {
  const named = readListOrSingle({ name: 'sensors', items: sensors }, { name: 'sensor', item: sensor });
  return named.map(({ item }) => readId(item.id, `sensor ${item.id}`));
}

/** Reads the ids from either form; at least one is required. */
export function readNestedEnvironments({ environments, environment }: NestEnvironmentsRequest): number[] {
  const list = { name: 'environments', items: environments };
  const named = readListOrSingle(list, { name: 'environment', item: environment });
  return named.map(({ item }) => readId(item.id, `environment ${item.id}`));
}

function check<T>(field: string, text: string | undefined, parse: (text: string) => Parsed<T>): T | undefined {
  if (text === undefined) return undefined;
  const parsed = parse(text);
  if (!parsed.ok) throw InvalidInput.field(`environment.${field}`, parsed.reason);
  return parsed.value;
}
