import { describeWindow } from '../domain/learning/features';
import { type LearningRange, type LearntWindow, RangeLearner } from '../domain/learning/range-learner';
import { collect, EMPTY_BUFFER, finish, PATIENCE_WINDOWS, type Reading } from '../domain/learning/windows';
import type { LearningPoints, StoredPoint } from './learning-points';

/** What a range taught: its windows, and how many points they were made of. */
export interface RangeLesson {
  readonly windows: readonly LearntWindow[];
  readonly points: number;
}

/** How a stored point is read; null when it holds no number. */
export type ReadPoint = (point: StoredPoint) => Reading | null;

// About half a second of work. A longer range is learnt from windows all over it, so every request is answered soon.
const MAX_POINTS = 50_000;
const SAMPLED_WINDOWS = 200;

/** Learns from all points of the range, or from samples of it when they are very many. */
export async function learnRange(
  stored: LearningPoints,
  range: LearningRange,
  readPoint: ReadPoint,
  maxPoints = MAX_POINTS,
): Promise<RangeLesson> {
  const span = { fromMs: range.startMs, toMs: range.endMs };
  const isLong = (await stored.count(span, maxPoints + 1)) > maxPoints;
  return isLong ? sampleRange(stored, range, readPoint) : readRange(stored, range, readPoint);
}

async function readRange(stored: LearningPoints, range: LearningRange, readPoint: ReadPoint): Promise<RangeLesson> {
  const learner = new RangeLearner(range);
  let points = 0;
  for await (const chunk of stored.inOrder({ fromMs: range.startMs, toMs: range.endMs })) {
    const readings = chunk.flatMap((point) => readPoint(point) ?? []);
    points += readings.length;
    learner.take(readings);
  }
  return { windows: learner.result(), points };
}

/** One window at the first point of each of many equal parts of what the range holds. */
async function sampleRange(stored: LearningPoints, range: LearningRange, readPoint: ReadPoint): Promise<RangeLesson> {
  const filled = await stored.filled({ fromMs: range.startMs, toMs: range.endMs });
  const windows: LearntWindow[] = [];
  let points = 0;
  if (filled === null) return { windows, points };
  const stepMs = Math.max(range.windowMs, Math.ceil((filled.toMs + 1 - filled.fromMs) / SAMPLED_WINDOWS));
  for (let fromMs = filled.fromMs; fromMs <= filled.toMs; fromMs += stepMs) {
    const first = await stored.first({ fromMs, toMs: Math.min(filled.toMs, fromMs + stepMs - 1) });
    if (first === undefined) continue;
    const lesson = await sampleWindow(stored, range, readPoint, first.dateMs);
    windows.push(...lesson.windows);
    points += lesson.points;
  }
  return { windows, points };
}

async function sampleWindow(
  stored: LearningPoints,
  { windowMs, endMs, inputs }: LearningRange,
  readPoint: ReadPoint,
  startMs: number,
): Promise<RangeLesson> {
  const plan = { lengthMs: windowMs, anchorMs: startMs, inputs };
  const earlier = await stored.last({ fromMs: startMs - windowMs * PATIENCE_WINDOWS, toMs: startMs - 1 });
  const held = earlier.flatMap((point) => readPoint(point) ?? []);
  let { buffer } = collect(EMPTY_BUFFER, held, plan);
  let points = 0;
  for await (const chunk of stored.inOrder({ fromMs: startMs, toMs: Math.min(endMs, startMs + windowMs - 1) })) {
    const readings = chunk.flatMap((point) => readPoint(point) ?? []);
    points += readings.length;
    buffer = collect(buffer, readings, plan).buffer;
  }
  const windows = finish(buffer, plan)
    .filter((window) => window.startMs === startMs)
    .map((window) => ({ startMs, endMs: Math.min(window.endMs, endMs), features: describeWindow(window) }));
  return { windows, points };
}
