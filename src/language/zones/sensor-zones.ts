import { CannotEvaluate } from '../evaluation-cost';
import { type ExpressionValue, partOf } from '../sensor-value';
import { type Coordinate, isLatitude, isLongitude } from './coordinates';
import type { ZoneIndex } from './zone-index';

/** Where a sensor is that does not send its position. */
export interface SensorPlace {
  /** The environment that holds the sensor, then those around it. */
  environments: readonly string[];
  /** Null if it has none of its own. */
  position: Pick<Coordinate, 'latitude' | 'longitude'> | null;
}

/** Zones of a trigger's owner, for one sensor. */
export interface SensorZones {
  /** Null beyond the limits of environments. */
  index: ZoneIndex | null;
  /** Null outside of all environments. */
  place: SensorPlace | null;
}

const LATITUDE = { name: 'latitude', isQuoted: false };
const LONGITUDE = { name: 'longitude', isQuoted: false };

/** Where a value is. Its questions throw CannotEvaluate without a position. */
export class Whereabouts {
  constructor(
    private readonly value: ExpressionValue,
    private readonly zones: SensorZones,
  ) {}

  /** The name of the smallest zone, or `""`. */
  get zone(): string {
    const index = requireIndex(this.zones.index);
    const position = positionIn(this.value);
    if (position) return index.zoneAt(position.latitude, position.longitude);
    return requirePlace(this.zones.place).environments[0] ?? '';
  }

  /** Undefined where `zone` throws. */
  get zoneIfKnown(): string | undefined {
    try {
      return this.zone;
    } catch (error) {
      if (error instanceof CannotEvaluate) return undefined;
      throw error;
    }
  }

  isIn(name: string): boolean {
    const index = requireIndex(this.zones.index);
    const sent = positionIn(this.value);
    if (sent) return index.isIn(name, sent.latitude, sent.longitude);
    const { environments, position } = requirePlace(this.zones.place);
    if (environments.includes(name)) return true;
    return position !== null && index.isIn(name, position.latitude, position.longitude);
  }
}

/** Undefined if both are missing. Throws if one is invalid: a tracker without a fix is not at the place of its sensor. */
function positionIn(value: ExpressionValue): Pick<Coordinate, 'latitude' | 'longitude'> | undefined {
  const latitude = partOf(value, LATITUDE);
  const longitude = partOf(value, LONGITUDE);
  if (latitude === undefined && longitude === undefined) return undefined;
  if (isLatitude(latitude) && isLongitude(longitude)) return { latitude, longitude };
  throw new CannotEvaluate('the value has no valid position: latitude from -90 to 90, longitude from -180 to 180');
}

function requireIndex(index: ZoneIndex | null): ZoneIndex {
  if (index) return index;
  throw new CannotEvaluate(
    'there are too many environments for zones: at most 2,000, with 600,000 characters of outlines',
  );
}

function requirePlace(place: SensorPlace | null): SensorPlace {
  if (place) return place;
  throw new CannotEvaluate(
    'there is no position: no latitude and longitude in the value, and the sensor is in no environment',
  );
}
