import { LruCache } from '../../platform/lru-cache';
import { parseOutline } from './coordinates';
import { EdgeBands } from './edge-bands';
import { type Shape, shapeOf } from './shape';

/** An environment with an outline. */
export interface Zone {
  name: string;
  outline: string;
}

interface Placed {
  name: string;
  shape: Shape;
}

/** The zones of one name. */
interface Named {
  placed: Placed[];
  bands?: EdgeBands;
}

/** `zone()` of a point, its record and `last_zone()` of the next point are one search. */
const FOUND_ZONES = 4;

/** The zones of a user. Shapes are made at the first question, in the time of the user whose point asks. */
export class ZoneIndex {
  // Private to the language, so that two indexes of equal zones are equal.
  #placed: readonly Placed[] | undefined;
  #bands: EdgeBands | undefined;
  #named: ReadonlyMap<string, Named> | undefined;
  #found: readonly { latitude: number; longitude: number; name: string }[] = [];

  /** From the oldest to the youngest. */
  constructor(readonly zones: readonly Zone[]) {}

  /** Characters of all outlines. */
  get length(): number {
    return this.zones.reduce((sum, { outline }) => sum + outline.length, 0);
  }

  /** The name of the smallest zone there, or else `""`; of equal ones the oldest. */
  zoneAt(latitude: number, longitude: number): string {
    const known = this.#found.find((one) => one.latitude === latitude && one.longitude === longitude);
    if (known) return known.name;
    this.#bands ??= bandsOf(this.placed());
    const name = this.placed()[this.#bands.firstAround(latitude, longitude)]?.name ?? '';
    this.#found = [{ latitude, longitude, name }, ...this.#found.slice(0, FOUND_ZONES - 1)];
    return name;
  }

  isIn(name: string, latitude: number, longitude: number): boolean {
    this.#named ??= byName(this.placed());
    const named = this.#named.get(name);
    if (!named) return false;
    named.bands ??= bandsOf(named.placed);
    return named.bands.firstAround(latitude, longitude) >= 0;
  }

  private placed(): readonly Placed[] {
    this.#placed ??= this.zones.flatMap(placed).sort((a, b) => a.shape.area - b.shape.area);
    return this.#placed;
  }
}

function byName(all: readonly Placed[]): Map<string, Named> {
  const found = new Map<string, Named>();
  for (const one of all) {
    const same = found.get(one.name);
    if (same) same.placed.push(one);
    else found.set(one.name, { placed: [one] });
  }
  return found;
}

function bandsOf(placed: readonly Placed[]): EdgeBands {
  return new EdgeBands(placed.map(({ shape }) => shape));
}

/** None for an outline that is not valid. */
function placed({ name, outline }: Zone): Placed[] {
  const parsed = parseOutline(outline);
  return parsed.ok ? [{ name, shape: shapeOf(parsed.value) }] : [];
}

// A character takes some 10 bytes, with its part of shapes and bands.
const CACHED_CHARACTERS = 4_000_000;
const cache = new LruCache<string, ZoneIndex>(CACHED_CHARACTERS, (text) => text.length + 100);

/** One index for all sensors whose owners have the same zones. */
export function zoneIndexOf(zones: readonly Zone[]): ZoneIndex {
  return cache.get(JSON.stringify(zones), () => new ZoneIndex(zones));
}
