import type { TimeRange } from '../../edge/time-range';
import { paced } from '../../platform/paced';
import { partsOf } from '../../platform/parts-of';
import { type LearntWindow, RangeLearner, type Reading, type SensorDataPoint, type TrainingRange } from '../../points';
import type { TrainingPoints } from './training-points';

export interface RangeTrainingData {
  readonly windows: readonly LearntWindow[];
  readonly points: number;
}

/** A point may complete several windows, of some milliseconds each. */
const POINTS_BEFORE_A_LOOK = 10;

/** Null if the point contains no number. */
export type ReadPoint = (point: SensorDataPoint) => Reading | null;

/** Points read, those with numbers, and where to continue; null at the end. */
interface Taken {
  readonly read: number;
  readonly points: number;
  readonly nextMs: number | null;
}

export async function learnRange(
  stored: TrainingPoints,
  range: TrainingRange,
  readPoint: ReadPoint,
): Promise<RangeTrainingData> {
  const learner = new RangeLearner(range);
  const { points } = await takePoints(stored, range, learner, readPoint);
  return { windows: learner.result(), points };
}

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
