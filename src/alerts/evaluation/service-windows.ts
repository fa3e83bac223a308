import type { CompiledWindow } from '../../language/compiled-expression';
import { sensorOfWindow, variablesOfPoint } from '../../language/formula';
import type { PointWindows } from '../../language/windows/sensor-windows';
import { inOneStep } from '../../platform/steps';
import { serviceNamed, type WaitingPoint } from '../../points';
import type { PassSensor } from '../trigger-store/sensor-states';
import type { WindowCache } from '../trigger-store/window-cache';
import type { StoredService } from './actors/service.actor';
import { MOST_AT_ONCE, type UnreadReaders, WindowReader } from './window-reader';

/** Calls of window functions times their points, computed at once: some 30 ms. */
const WINDOW_POINTS_AT_ONCE = 400_000;

/** Caches, and the sensors whose partitions the pass has locked. */
export interface ServiceCaches {
  windows: WindowCache;
  sensorOf(sensorId: number): PassSensor | undefined;
}

/**
 * Has a reader for each sensor of a window. Caches windows of a sensor only if the pass has locked its partition:
 * otherwise another worker may get a late point.
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

  /** True if nothing has to be read for any point. */
  get isEmpty(): boolean {
    return this.readers.size === 0;
  }

  get bytes(): number {
    return [...this.readers.values()].reduce((sum, { windows }) => sum + (windows?.bytes ?? 0), 0);
  }

  /** Limit of points per slice, with all windows. */
  get atOnce(): number {
    const readers = [...this.readers.values()];
    const perPoint = readers.reduce((sum, { calls, windows }) => sum + calls * (windows?.size ?? 0), 0);
    const affordable = Math.max(1, Math.floor(WINDOW_POINTS_AT_ONCE / Math.max(1, perPoint)));
    return Math.min(MOST_AT_ONCE, affordable, ...readers.map(({ atOnce }) => atOnce));
  }

  /** Call it before a slice from this date. */
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

  /** Call it after the commit. */
  keep(): void {
    for (const reader of this.readers.values()) reader.keep(true);
  }
}
