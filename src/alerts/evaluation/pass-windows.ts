import type { CompiledWindow } from '../../language/compiled-expression';
import { CannotEvaluate } from '../../language/evaluation-cost';
import type { PointWindows } from '../../language/windows/sensor-windows';
import { windowsOf } from '../../language/windows/written-windows';
import { keptDays, type RetentionDays } from '../../platform/retention';
import type { Steps } from '../../platform/steps';
import { isLate, isTooFarAhead, type WaitingPoint } from '../../points';
import type { SensorState } from '../rules/sensor-state';
import type { WindowCache } from '../trigger-store/window-cache';
import { MOST_AT_ONCE, type ReadSetting, UnreadReaders, type WindowNeeds, WindowReader } from './window-reader';

export interface PointReader {
  /** Absent if no expression has windows. */
  readonly windows?: PointWindows;
  readonly atOnce: number;
  /** Call it before a slice from this date. Returns undefined if nothing has to be read. */
  readFor(dateMs: number): Promise<void> | undefined;
  keep(areHandled: boolean): void;
}

const TOO_LONG = 'computing the windows of this sensor takes too long: use fewer of them, or shorter ones';

const READS_NOTHING: PointReader = { atOnce: MOST_AT_ONCE, readFor: () => undefined, keep: () => undefined };

interface WindowSetting extends ReadSetting {
  cache: WindowCache;
  retentionDays: RetentionDays;
  nowMs: number;
  isShadow?: boolean;
  /** If given, no point is evaluated, so nothing is read. */
  unevaluated?: string | undefined;
}

/** Windows give no results once their owner's time is used up. */
export function untilSpent(windows: PointWindows, isSpent: () => boolean): PointWindows {
  return {
    valueOf: (window, atMs) => {
      if (isSpent()) throw new CannotEvaluate(TOO_LONG);
      return windows.valueOf(window, atMs);
    },
  };
}

/** Stored points for windows of triggers, read when their sensors need them. */
export class PassWindows {
  private readonly readers = new Map<number, WindowReader>();
  private readonly unread: UnreadReaders;

  /** `order`: the order in which the pass handles the sensors. */
  constructor(
    order: readonly (readonly [SensorState, unknown])[],
    pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
    setting: WindowSetting,
  ) {
    this.unread = new UnreadReaders(setting);
    if (setting.unevaluated !== undefined) return;
    for (const [state] of order) {
      const { id } = state.sensor;
      const points = state.mayHaveWindows ? pointsOf.get(id) : undefined;
      if (!points) continue;
      const needs = () => needsOf(state, points, setting);
      this.readers.set(id, new WindowReader(id, ownerOf(points), needs, this.unread));
    }
  }

  /** Hands the reader over, so that its points are freed when the sensor is handled. */
  async take({ sensor }: SensorState): Promise<PointReader> {
    const reader = this.readers.get(sensor.id);
    if (!reader) return READS_NOTHING;
    this.readers.delete(sensor.id);
    await reader.prepare();
    if (!reader.range) this.unread.delete(reader);
    return reader;
  }

  /** Otherwise the next pass would read the windows of remaining sensors again. */
  keepUnhandled(): void {
    for (const reader of this.readers.values()) reader.keep(false);
  }
}

function ownerOf(points: readonly WaitingPoint[]): number {
  return points[0]?.ownerId ?? 0;
}

/** One step per trigger: an expression may have to be compiled. */
function* needsOf(state: SensorState, points: readonly WaitingPoint[], setting: WindowSetting): Steps<WindowNeeds> {
  const { cache, retentionDays, nowMs } = setting;
  const ownerId = ownerOf(points);
  const { id: sensorId, dataType, labels, storage } = state.sensor;
  const kept = storage ? keptDays(storage, retentionDays) : retentionDays;
  const calls: CompiledWindow[] = [];
  for (const trigger of state.triggers) {
    calls.push(...windowsOf(trigger));
    yield;
  }
  const user = { sensorId, isShadow: setting.isShadow };
  cache.dropIfLate(user, points);
  return {
    calls,
    sensor: { dataType, keptDays: kept, labels },
    points: points.length,
    isCut: () => setting.passClock.isCut(ownerId),
    dates: evaluatedDates(state, points, nowMs),
    take: () => cache.take(user, state),
    keep: (read) => cache.keep(user, state, read),
  };
}

function evaluatedDates({ triggers }: SensorState, points: readonly WaitingPoint[], nowMs: number): number[] {
  return points.flatMap((point) => {
    const isNew = triggers.some(({ state }) => !isLate(state, point));
    return isNew && !isTooFarAhead(point.dateMs, nowMs) ? [point.dateMs] : [];
  });
}
