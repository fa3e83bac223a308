import { LruCache } from '../rules/lru-cache';
import type { SensorState } from '../rules/sensor-state';
import type { SensorWindows } from '../rules/windows/sensor-windows';

/** The stored points of a sensor that a pass has read. */
interface CachedWindows {
  /** The cached sensor that they belong to. */
  state: SensorState;
  windows: SensorWindows;
  /** All points until this date are in the windows, as far back as these reach. */
  untilMs: number;
  bytes: number;
  isTaken: boolean;
}

/**
 * Approximate size limit of the cache. Half of it, which is never dropped while it is used, holds 2,000 sensors with a
 * point a second in a window of an hour. Without windows the cache is empty.
 */
const BYTES = 280_000_000;

/**
 * Caches the points in the windows of sensors, so that a pass reads only newer ones. An entry belongs to one entry of the
 * cache of sensors, and becomes stale with it: every pass of another process, every edit, and every deletion of points
 * bumps the epoch of the partition. An upload does not; but a pass that gets a late or replaced point drops the entry.
 */
export class WindowCache {
  private readonly entries = new LruCache<number, CachedWindows>(BYTES, (_, { bytes }) => bytes);

  /**
   * Takes the windows of a sensor out of the cache, for a pass with these points. Undefined if they are not
   * cached, or stale. Call `keep` when all of these points are handled.
   */
  take(
    state: SensorState,
    points: readonly { dateMs: number }[],
  ): { windows: SensorWindows; untilMs: number } | undefined {
    const entry = this.entries.find(state.sensor.id);
    if (!entry || entry.isTaken) return undefined;
    entry.isTaken = true;
    const isStale = entry.state !== state || points.some(({ dateMs }) => dateMs <= entry.untilMs);
    return isStale ? undefined : entry;
  }

  /** Caches the windows of a sensor, which hold all of its points until this date. */
  keep(state: SensorState, windows: SensorWindows, untilMs: number): void {
    this.entries.set(state.sensor.id, { state, windows, untilMs, bytes: windows.bytes, isTaken: false });
  }
}
