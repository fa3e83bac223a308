import { inOrderOfDates, type WaitingPoint } from '../../points';
import type { SensorActor } from './actors/sensor.actor';
import type { SensorMessageContext } from './actors/sensor.messages';
import type { PassClock } from './pass-clock';
import { type PointReader, untilSpent } from './pass-windows';

/** A slice was left to the next pass. */
const CUT = 0;

/** Yields a read that a slice waits for, and undefined when other work should run. */
export function* handlePoints(
  actor: SensorActor,
  given: readonly WaitingPoint[] | undefined,
  context: SensorMessageContext,
  passClock: PassClock,
  reader: PointReader,
): Generator<Promise<void> | undefined, void> {
  const ownerId = given?.[0]?.ownerId;
  if (given === undefined || ownerId === undefined) return;
  actor.handle({ kind: 'arrivals', of: given }, context);
  const byDate = inOrderOfDates(given);
  const windows = reader.windows && untilSpent(reader.windows, () => passClock.isSpent(ownerId));
  const pointContext = windows ? { ...context, windows } : context;
  for (let start = 0, count = 1; start < byDate.length; ) {
    const points = byDate.length === 1 ? byDate : byDate.slice(start, start + count);
    const read = reader.readFor(points[0]?.dateMs ?? 0);
    if (read) yield read;
    const runs = yield* handleSlice(actor.handlePoints(points, pointContext), passClock, ownerId, points.length);
    if (runs === CUT) return reader.keep(false);
    start += count;
    if (runs === 1) count = Math.min(count * 2, reader.atOnce);
  }
  reader.keep(true);
}

/** Returns how often the clock was read, or CUT. */
function* handleSlice(
  steps: Iterator<void, void>,
  passClock: PassClock,
  ownerId: number,
  rows: number,
): Generator<undefined, number> {
  for (let runs = 1; !passClock.isCut(ownerId); runs += 1) {
    const isDone = passClock.runFor(ownerId, steps, runs === 1 ? rows : 0);
    if (passClock.isYieldDue) yield;
    if (isDone) return passClock.isCut(ownerId) ? CUT : runs;
  }
  return CUT;
}
