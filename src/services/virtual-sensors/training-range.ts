import type { SensorDataPoint } from '../../domain/data-point';
import { type LearntWindow, RangeLearner, type TrainingRange } from '../../domain/learning/range-learner';
import type { Reading } from '../../domain/learning/windows';
import type { Span, TrainingPoints } from './training-points';

/** What a range taught: its windows, and how many points they were made of. */
export interface RangeTrainingData {
  readonly windows: readonly LearntWindow[];
  readonly points: number;
}

/** How a stored point is read; null when it holds no number. */
export type ReadPoint = (point: SensorDataPoint) => Reading | null;

/** How many points were read, how many of them held numbers, and where to read on; null when nothing is left. */
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
  const span = { fromMs: range.startMs, toMs: range.endMs };
  const { points } = await takePoints(stored, span, learner, readPoint);
  return { windows: learner.result(), points };
}

/** Gives the learner the points of the span in order, in chunks, until it has read at least so many. */
export async function takePoints(
  stored: TrainingPoints,
  span: Span,
  learner: RangeLearner,
  readPoint: ReadPoint,
  atLeast = Number.POSITIVE_INFINITY,
): Promise<Taken> {
  let points = 0;
  let read = 0;
  for await (const chunk of stored.inOrder(span)) {
    const readings = chunk.flatMap((point) => readPoint(point) ?? []);
    learner.take(readings);
    points += readings.length;
    read += chunk.length;
    const last = chunk.at(-1);
    if (last && read >= atLeast) return { read, points, nextMs: last.dateMs + 1 };
  }
  return { read, points, nextMs: null };
}
