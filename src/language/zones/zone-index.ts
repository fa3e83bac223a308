import { LruCache } from '../../platform/lru-cache';
import { parseOutline } from './coordinates';
import { contains, type Shape, shapeOf } from './shape';

/** An environment with an outline. */
export interface Zone {
  name: string;
  outline: string;
}

interface Placed {
  name: string;
  shape: Shape;
}

/** The zones of a user. Shapes are made at the first question, in the time of the user whose point asks. */
export class ZoneIndex {
  // Private to the language, so that two indexes of equal zones are equal.
  #placed: readonly Placed[] | undefined;
  #byName: ReadonlyMap<string, readonly Placed[]> | undefined;

  /** From the oldest to the youngest. */
  constructor(readonly zones: readonly Zone[]) {}

  /** The name of the smallest zone there, or else `""`; of equal ones the oldest. */
  zoneAt(latitude: number, longitude: number): string {
    return this.placed().find(({ shape }) => contains(shape, latitude, longitude))?.name ?? '';
  }

  isIn(name: string, latitude: number, longitude: number): boolean {
    this.#byName ??= byName(this.placed());
    return this.#byName.get(name)?.some(({ shape }) => contains(shape, latitude, longitude)) ?? false;
  }

  private placed(): readonly Placed[] {
    this.#placed ??= this.zones.flatMap(placed).sort((a, b) => a.shape.area - b.shape.area);
    return this.#placed;
  }
}

function byName(all: readonly Placed[]): Map<string, Placed[]> {
  const found = new Map<string, Placed[]>();
  for (const one of all) {
    const same = found.get(one.name);
    if (same) same.push(one);
    else found.set(one.name, [one]);
  }
  return found;
}

/** None for an outline that is not valid. */
function placed({ name, outline }: Zone): Placed[] {
  const parsed = parseOutline(outline);
  return parsed.ok ? [{ name, shape: shapeOf(parsed.value) }] : [];
}

// A character takes some 3 bytes, with its part of a shape.
const CACHED_CHARACTERS = 8_000_000;
const cache = new LruCache<string, ZoneIndex>(CACHED_CHARACTERS, (text) => text.length + 100);

/** One index for all sensors whose owners have the same zones. */
export function zoneIndexOf(zones: readonly Zone[]): ZoneIndex {
  return cache.get(JSON.stringify(zones), () => new ZoneIndex(zones));
}
