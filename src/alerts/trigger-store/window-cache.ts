import type { SensorWindows } from '../../language/windows/sensor-windows';
import { LruCache } from '../../platform/lru-cache';

export interface ReadWindows {
  windows: SensorWindows;
  /** All points after this date and until the other are in the windows, as far back as these reach. */
  afterMs: number;
  untilMs: number;
  longestMs: number;
}

interface CachedWindows extends ReadWindows {
  sensor: object;
  bytes: number;
  isTaken: boolean;
}

/**
 * Half of it, which is never dropped while it is used, holds 2,000 sensors with a point a second in a window of an
 * hour. Without windows the cache is empty.
 */
const BYTES = 280_000_000;

/** The triggers of a sensor, their shadows, or a service. */
export interface WindowUser {
  sensorId: number;
  isShadow?: boolean | undefined;
  serviceId?: number;
}

/**
 * Caches points in windows, so that a pass reads only newer ones. An entry becomes stale with its entry of the cache of
 * sensors: passes of other processes, edits and deletions of points bump the epoch. An upload does not; but a pass that
 * gets a late or replaced point drops the entry.
 */
export class WindowCache {
  private readonly entries = new LruCache<number | string, CachedWindows>(BYTES, (_, { bytes }) => bytes);

  /** Call it before `take`. */
  dropIfLate(user: WindowUser, points: readonly { dateMs: number }[]): void {
    const entry = this.entries.find(keyOf(user));
    if (entry && points.some(({ dateMs }) => dateMs <= entry.untilMs)) entry.isTaken = true;
  }

  /**
   * `sensor` is the valid entry of the cache of sensors. Undefined if nothing is cached, or it is stale. Call `keep`
   * when the points are handled.
   */
  take(user: WindowUser, sensor: object): ReadWindows | undefined {
    const entry = this.entries.find(keyOf(user));
    if (!entry || entry.isTaken) return undefined;
    entry.isTaken = true;
    return entry.sensor === sensor ? entry : undefined;
  }

  keep(user: WindowUser, sensor: object, read: ReadWindows): void {
    this.entries.set(keyOf(user), { ...read, sensor, bytes: read.windows.bytes, isTaken: false });
  }
}

function keyOf({ sensorId, isShadow, serviceId }: WindowUser): number | string {
  if (isShadow) return `${sensorId} shadow`;
  return serviceId === undefined ? sensorId : `${sensorId} ${serviceId}`;
}
