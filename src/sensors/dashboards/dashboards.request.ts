import { readSelector, type Selector, type SelectorInput } from '../../alerts';
import { parseId } from '../../edge/id';
import { InvalidInput } from '../../platform/errors';
import { COLUMNS, defaultRange, hasRange, pathOfTile, TILE_LIMITS, type Tile, type TileKind } from './dashboard';

const MAX_TILES = 50;
const MAX_FIELD_LENGTH = 255;

/** What a tile shows, and where it is. */
export interface TileFields {
  /**
   * A chart of up to 6 sensors, the latest `value` of one sensor, the `state` of up to 50 sensors, `counts` of the states
   * or the open `alerts` of up to 50 sensors or of all, the `plan` of an environment, or a `note`.
   * @example "chart"
   */
  kind: TileKind;
  /**
   * The ids of sensors that you can see; none for a plan and a note. A tile of alerts or counts without sensors and `selector` is about
   * all.
   * @example ["42"]
   */
  sensors?: string[];
  /**
   * Instead of `sensors`, for a tile of any kind but `value`, `plan` and `note`: it shows your own sensors that match, now and
   * later, at most 10,000. A chart shows the first 6 by name, a `state` tile the 200 most urgent.
   * @example null
   */
  selector?: SelectorInput | null;
  /**
   * The id of one of your environments, whose plan and sensors a `plan` shows.
   * @maxLength 20
   * @example null
   */
  environment?: string | null;
  /**
   * The fields of JSON values that a chart shows, at most 20, or the one field of a value; none for the whole value. Fields
   * of nested objects have dots: `wind.speed`.
   * @example ["temperature"]
   */
  fields?: string[];
  /**
   * The period that a chart or a value covers, in seconds up to now, from 10 minutes to a year; a day by default.
   * @isInt
   * @minimum 600
   * @maximum 31622400
   * @example 86400
   */
  range?: number | null;
  /**
   * The text of a note, which is required; for other kinds a title.
   * @maxLength 2000
   * @example "Cold store"
   */
  text?: string;
  /**
   * The first column, from 0 to 11.
   * @isInt
   * @minimum 0
   * @maximum 11
   * @example 0
   */
  x: number;
  /**
   * The first row.
   * @isInt
   * @minimum 0
   * @maximum 1000
   * @example 0
   */
  y: number;
  /**
   * The width in columns. `x` and `w` together are at most 12.
   * @isInt
   * @minimum 1
   * @maximum 12
   * @example 6
   */
  w: number;
  /**
   * The height in rows.
   * @isInt
   * @minimum 1
   * @maximum 24
   * @example 4
   */
  h: number;
}

/** The fields of a dashboard to change; others keep their values. */
export interface DashboardFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Cold store"
   */
  name?: string;
  /** At most 50 tiles, which replace all others. */
  tiles?: TileFields[];
  /**
   * The version that was read: if the dashboard has been changed since, the request is refused with 409. Without it the
   * last change wins.
   * @isInt
   * @minimum 1
   * @example 3
   */
  version?: number;
}

/** A new dashboard. */
export interface NewDashboardFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Cold store"
   */
  name: string;
  /** At most 50 tiles; none by default. */
  tiles?: TileFields[];
}

/** Creates a dashboard. */
export interface CreateDashboardRequest {
  dashboard: NewDashboardFields;
}

/** Changes a dashboard. */
export interface UpdateDashboardRequest {
  dashboard: DashboardFields;
}

/** Names a tile of a dashboard. */
export interface TileQuery {
  /**
   * The position of the tile in `tiles`, from 0.
   * @isInt
   * @minimum 0
   * @maximum 49
   * @example 0
   */
  tile: number;
}

/** Reads the tiles; InvalidInput names the first wrong field. Whether the user may see the sensors is not checked. */
export function readTiles(given: readonly TileFields[] | undefined): Tile[] | undefined {
  if (given && given.length > MAX_TILES) throw InvalidInput.field('dashboard.tiles', `can be at most ${MAX_TILES}`);
  return given?.map((tile, index) => readTile(tile, pathOfTile(index)));
}

function readTile({ kind, text = '', x, y, w, h, ...given }: TileFields, path: string): Tile {
  if (x + w > COLUMNS) throw InvalidInput.field(`${path}.w`, `must be at most ${COLUMNS - x} in this column`);
  if (kind === 'note' && text.trim() === '') throw InvalidInput.field(`${path}.text`, 'is required');
  const selector = given.selector ? readTileSelector(given.selector, kind, path) : null;
  const sensors = readSensors(given.sensors ?? [], kind, selector, path);
  const fields = readFields(given.fields ?? [], kind, path);
  const range = hasRange(kind) ? (given.range ?? defaultRange(kind)) : null;
  const environment = readEnvironment(given.environment || null, kind, path);
  return { kind, sensors, selector, environment, fields, range, text, x, y, w, h };
}

function readTileSelector(given: SelectorInput, kind: TileKind, path: string): Selector {
  if (TILE_LIMITS[kind].followed === undefined) {
    throw InvalidInput.field(`${path}.selector`, `must not be given for a ${kind} tile`);
  }
  const read = readSelector(given, `${path}.selector`);
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return read.selector;
}

function readEnvironment(given: string | null, kind: TileKind, path: string): number | null {
  if (kind !== 'plan') {
    if (given !== null) throw InvalidInput.field(`${path}.environment`, `must not be given for a ${kind} tile`);
    return null;
  }
  const id = parseId(given ?? '');
  if (id === null) throw InvalidInput.field(`${path}.environment`, 'must be the id of an environment');
  return id;
}

function readSensors(given: readonly string[], kind: TileKind, selector: Selector | null, path: string): number[] {
  if (selector) {
    if (given.length > 0) throw InvalidInput.field(`${path}.sensors`, 'must not be given together with a selector');
    return [];
  }
  const [least, most] = TILE_LIMITS[kind].sensors;
  if (given.length < least) throw InvalidInput.field(`${path}.sensors`, 'must name a sensor');
  if (given.length > most) throw InvalidInput.field(`${path}.sensors`, `can be at most ${most} for a ${kind} tile`);
  const ids = given.map((text, index) => {
    const id = parseId(text);
    if (id === null) throw InvalidInput.field(`${path}.sensors[${index}]`, 'must be the id of a sensor');
    return id;
  });
  return [...new Set(ids)];
}

function readFields(given: readonly string[], kind: TileKind, path: string): string[] {
  const most = TILE_LIMITS[kind].fields;
  if (given.length > most) throw InvalidInput.field(`${path}.fields`, `can be at most ${most} for a ${kind} tile`);
  given.forEach((name, index) => {
    if (name.length > MAX_FIELD_LENGTH) {
      throw InvalidInput.field(`${path}.fields[${index}]`, `must be at most ${MAX_FIELD_LENGTH} characters`);
    }
  });
  return [...new Set(given)];
}
