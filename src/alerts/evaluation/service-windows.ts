import type { CompiledWindow } from '../../language/compiled-expression';
import { sensorOfWindow, variablesOfPoint } from '../../language/formula';
import type { PointWindows } from '../../language/windows/sensor-windows';
import { inOneStep } from '../../platform/steps';
import { serviceNamed, type WaitingPoint } from '../../points';
import type { PassSensor } from '../trigger-store/sensor-states';
import type { WindowCache } from '../trigger-store/window-cache';
import type { StoredService } from './actors/service.actor';
import { MOST_AT_ONCE, type UnreadReaders, WindowReader } from './window-reader';

/** Maximum number of calls of window functions, times the points of each, that are computed at once: some 30 ms. */
const WINDOW_POINTS_AT_ONCE = 400_000;

/** The cache of windows, and the sensors whose partitions the pass has locked, as the cache of sensors has them. */
export interface ServiceCaches {
  windows: WindowCache;
  sensorOf(sensorId: number): PassSensor | undefined;
}

/**
 * The windows of one service in a pass: one reader for each sensor of a window. The windows of a sensor are cached only
 * while the pass has locked its partition, because otherwise another worker may get a late point of the sensor.
 */
export class ServiceWindows implements PointWindows {
  private readonly readers = new Map<number, WindowReader>();

  constructor(service: StoredService, points: readonly WaitingPoint[], unread: UnreadReaders, caches: ServiceCaches) {
    const needed = serviceNamed(service.name)?.neededWindows?.(service, points);
    if (!needed || needed.dates.length === 0) return;
    for (const [sensorId, calls] of needed.bySensor) {
      const input = service.inputs.find((each) => each.sensorId === sensorId);
      if (!input) continue;
      const { dataType, keptDays = null } = input;
      const [user, sensor] = [{ sensorId, serviceId: service.id }, caches.sensorOf(sensorId)];
      const needs = {
        calls,
        sensor: { dataType, keptDays, variablesOf: variablesOfPoint },
        points: points.length,
        dates: needed.dates,
        take: () => (sensor ? caches.windows.take(user, sensor) : undefined),
        keep: (read: Parameters<WindowCache['keep']>[2]) => {
          if (sensor) caches.windows.keep(user, sensor, read);
        },
      };
      this.readers.set(sensorId, new WindowReader(sensorId, service.ownerId, () => inOneStep(() => needs), unread));
    }
  }

  /** True if nothing has to be read, whichever points are computed. */
  get isEmpty(): boolean {
    return this.readers.size === 0;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return [...this.readers.values()].reduce((sum, { windows }) => sum + (windows?.bytes ?? 0), 0);
  }

  /** Maximum number of points that may be computed at once, each with all windows. */
  get atOnce(): number {
    const readers = [...this.readers.values()];
    const perPoint = readers.reduce((sum, { calls, windows }) => sum + calls * (windows?.size ?? 0), 0);
    const affordable = Math.max(1, Math.floor(WINDOW_POINTS_AT_ONCE / Math.max(1, perPoint)));
    return Math.min(MOST_AT_ONCE, affordable, ...readers.map(({ atOnce }) => atOnce));
  }

  /** Call before a slice that begins at this date is computed. */
  async readFor(dateMs: number): Promise<void> {
    for (const reader of this.readers.values()) {
      await reader.prepare();
      await reader.readFor(dateMs);
    }
  }

  valueOf(window: CompiledWindow, atMs: number): number {
    const windows = this.readers.get(sensorOfWindow(window))?.windows;
    if (!windows) throw new Error(`the points of "${window.name}" are not read`);
    return windows.valueOf(window, atMs);
  }

  /** Call after the commit of the pass. */
  keep(): void {
    for (const reader of this.readers.values()) reader.keep(true);
  }
}
