import type { TimeRange } from '../../edge/time-range';
import { paced } from '../../platform/paced';
import { partsOf } from '../../platform/parts-of';
import { type LearntWindow, RangeLearner, type Reading, type SensorDataPoint, type TrainingRange } from '../../points';
import type { TrainingPoints } from './training-points';

/** The windows learnt from a range, and their number of points. */
export interface RangeTrainingData {
  readonly windows: readonly LearntWindow[];
  readonly points: number;
}

/** Each may complete several windows, of some milliseconds each. */
const POINTS_BEFORE_A_LOOK = 10;

/** Reads a stored point; null if it contains no number. */
export type ReadPoint = (point: SensorDataPoint) => Reading | null;

/** The number of points read, the number of them with numbers, and the position to continue from; null at the end. */
interface Taken {
  readonly read: number;
  readonly points: number;
  readonly nextMs: number | null;
}

/** Learns from all points of the range. */
export async function learnRange(
  stored: TrainingPoints,
  range: TrainingRange,
  readPoint: ReadPoint,
): Promise<RangeTrainingData> {
  const learner = new RangeLearner(range);
  const { points } = await takePoints(stored, range, learner, readPoint);
  return { windows: learner.result(), points };
}

/** Passes the points of the range to the learner in order, in chunks, until at least `points` were read. */
export async function takePoints(
  stored: TrainingPoints,
  range: TimeRange,
  learner: RangeLearner,
  readPoint: ReadPoint,
  atLeast = Number.POSITIVE_INFINITY,
): Promise<Taken> {
  let points = 0;
  let read = 0;
  for await (const chunk of stored.inOrder(range)) {
    for await (const part of paced(partsOf(chunk, POINTS_BEFORE_A_LOOK))) {
      const readings = part.flatMap((point) => readPoint(point) ?? []);
      learner.take(readings);
      points += readings.length;
    }
    read += chunk.length;
    const last = chunk.at(-1);
    if (last && read >= atLeast) return { read, points, nextMs: last.dateMs + 1 };
  }
  return { read, points, nextMs: null };
}
