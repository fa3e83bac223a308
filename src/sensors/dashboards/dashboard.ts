import type { Selector } from '../../alerts';
import { INTERVALS, type Interval } from '../../edge/intervals';
import { isRecord } from '../../platform/is-record';

/**
 * A chart of sensors, the latest value of one, the states of sensors or how many are in each, open alerts, the plan of an
 * environment with its sensors, or a text.
 */
export type TileKind = 'chart' | 'value' | 'state' | 'counts' | 'alerts' | 'plan' | 'note';

export interface Tile {
  kind: TileKind;
  /** Without a selector, none stands for all in a tile of alerts or counts. */
  sensors: number[];
  /** The tile follows the owner's own sensors that match; null if it names its sensors. */
  selector: Selector | null;
  /** Whose plan is shown; null for other kinds. */
  environment: number | null;
  /** The shown fields of JSON values; empty for the whole value. */
  fields: string[];
  /** The shown period up to now, in seconds; null for kinds without one. */
  range: number | null;
  /** A note's text; for other kinds a title, which may be empty. */
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface OpenedDashboard {
  id: number;
  name: string;
  tiles: readonly Tile[];
  /** Counts changes of name and tiles. */
  version: number;
  token: string | null;
}

export const COLUMNS = 12;
interface TileLimits {
  sensors: readonly [least: number, most: number];
  /** Maximum number in the data of a tile with a selector; undefined if the kind has none. */
  followed?: number;
  fields: number;
}

export const TILE_LIMITS: Readonly<Record<TileKind, TileLimits>> = {
  chart: { sensors: [1, 6], followed: 6, fields: 20 },
  value: { sensors: [1, 1], fields: 1 },
  state: { sensors: [1, 50], followed: 200, fields: 0 },
  counts: { sensors: [0, 50], followed: 0, fields: 0 },
  alerts: { sensors: [0, 50], followed: 0, fields: 0 },
  plan: { sensors: [0, 0], fields: 0 },
  note: { sensors: [0, 0], fields: 0 },
};

const DAY_SECONDS = 86_400;
/** Maximum number of intervals in a tile. */
const MOST_INTERVALS = 800;

/** Older tiles have neither selector nor environment. */
export function parseTiles(stored: string): Tile[] {
  return JSON.parse(stored).map((tile: Tile) => ({ ...NEITHER, ...tile }));
}

const NEITHER = { selector: null, environment: null };

export function pathOfTile(index: number): string {
  return `dashboard.tiles[${index}]`;
}

/** Unless the tile names a range. */
export function defaultRange(kind: TileKind): number | null {
  return hasRange(kind) ? DAY_SECONDS : null;
}

/** True for tiles that show the latest values with their units. */
export function hasValues(kind: TileKind): boolean {
  return hasRange(kind) || kind === 'plan';
}

/** True for tiles that show the data points of a range. */
export function hasRange(kind: TileKind): boolean {
  return kind === 'chart' || kind === 'value';
}

/** The shortest that gives few enough intervals. */
export function tileInterval(rangeSeconds: number): Interval {
  return INTERVALS.find((seconds) => rangeSeconds / seconds <= MOST_INTERVALS) ?? 604_800;
}

/** Returns JSON text. Names have dots. Without wanted fields the value itself; undefined if it has none of them. */
export function pickFields(value: string, wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return value;
  const object = readObject(value);
  const picked = wanted.flatMap((name) => {
    const field = fieldOf(object, name);
    return field === undefined ? [] : [[name, field] as const];
  });
  return picked.length > 0 ? JSON.stringify(Object.fromEntries(picked)) : undefined;
}

/** Fields, by names with dots, that at least one value has. */
export function fieldsIn(values: readonly string[], names: readonly string[]): string[] {
  let missing = [...names];
  for (const value of values) {
    if (missing.length === 0) break;
    const object = readObject(value);
    missing = missing.filter((name) => fieldOf(object, name) === undefined);
  }
  return names.filter((name) => !missing.includes(name));
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(object: unknown, name: string): unknown {
  if (!isRecord(object)) return undefined;
  if (Object.hasOwn(object, name)) return object[name];
  for (let at = name.indexOf('.'); at > 0; at = name.indexOf('.', at + 1)) {
    const outer = name.slice(0, at);
    const found = Object.hasOwn(object, outer) ? fieldOf(object[outer], name.slice(at + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
