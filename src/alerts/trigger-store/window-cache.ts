import type { SensorWindows } from '../../language/windows/sensor-windows';
import { LruCache } from '../../platform/lru-cache';

/** The stored points of a sensor that a pass has read. */
export interface ReadWindows {
  windows: SensorWindows;
  /** All points after this date and until the other are in the windows, as far back as these reach. */
  afterMs: number;
  untilMs: number;
  /** Length of the longest window that they were read for. */
  longestMs: number;
}

interface CachedWindows extends ReadWindows {
  /** The entry of the cache of sensors that they belong to. */
  sensor: object;
  bytes: number;
  isTaken: boolean;
}

/**
 * Approximate size limit of the cache. Half of it, which is never dropped while it is used, holds 2,000 sensors with a
 * point a second in a window of an hour. Without windows the cache is empty.
 */
const BYTES = 280_000_000;

/** Whose windows: a sensor's triggers, or a service that it feeds. */
export interface WindowUser {
  sensorId: number;
  serviceId?: number;
}

/**
 * Caches the points in the windows of sensors, so that a pass reads only newer ones. An entry belongs to one entry of the
 * cache of sensors, and becomes stale with it: every pass of another process, every edit, and every deletion of points
 * bumps the epoch of the partition. An upload does not; but a pass that gets a late or replaced point drops the entry.
 */
export class WindowCache {
  private readonly entries = new LruCache<number | string, CachedWindows>(BYTES, (_, { bytes }) => bytes);

  /** Drops the entry if one of the points that a pass has got for the sensor is late. Call it before `take`. */
  dropIfLate(user: WindowUser, points: readonly { dateMs: number }[]): void {
    const entry = this.entries.find(keyOf(user));
    if (entry && points.some(({ dateMs }) => dateMs <= entry.untilMs)) entry.isTaken = true;
  }

  /**
   * Takes windows out of the cache, for a pass in which `sensor` is the valid entry of the cache of sensors. Undefined if
   * they are not cached, or stale. Call `keep` when the points of the pass are handled.
   */
  take(user: WindowUser, sensor: object): ReadWindows | undefined {
    const entry = this.entries.find(keyOf(user));
    if (!entry || entry.isTaken) return undefined;
    entry.isTaken = true;
    return entry.sensor === sensor ? entry : undefined;
  }

  /** Caches windows of a sensor. */
  keep(user: WindowUser, sensor: object, read: ReadWindows): void {
    this.entries.set(keyOf(user), { ...read, sensor, bytes: read.windows.bytes, isTaken: false });
  }
}

function keyOf({ sensorId, serviceId }: WindowUser): number | string {
  return serviceId === undefined ? sensorId : `${sensorId} ${serviceId}`;
}
