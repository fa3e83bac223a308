import { describeWindow, type Features } from './features';
import {
  collect,
  EMPTY_BUFFER,
  finish,
  type Reading,
  type Window,
  type WindowBuffer,
  type WindowPlan,
} from './windows';

export interface LearntWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly features: Features;
}

/** Both ends belong to the range. */
export interface TrainingRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly windowMs: number;
  readonly inputs: readonly string[];
}

/** Bounded plain data that survives JSON. */
export interface LearnerState {
  readonly buffer: WindowBuffer;
  readonly learnt: readonly LearntWindow[];
  readonly stride: number;
  readonly seen: number;
}

const AT_THE_START: LearnerState = { buffer: EMPTY_BUFFER, learnt: [], stride: 1, seen: 0 };

// Beyond a few hundred, windows add little to the model.
const MAX_WINDOWS = 400;

/**
 * Cuts readings, in order of date, into windows as recognition does. Keeps windows spread over a long range, so that
 * memory is bounded. Continues from the state of another learner of the range.
 */
export class RangeLearner {
  private buffer: WindowBuffer;
  private learnt: LearntWindow[];
  private stride: number;
  private seen: number;
  private readonly plan: WindowPlan;

  constructor(
    private readonly range: TrainingRange,
    { buffer, learnt, stride, seen } = AT_THE_START,
  ) {
    this.buffer = buffer;
    this.learnt = [...learnt];
    this.stride = stride;
    this.seen = seen;
    this.plan = { lengthMs: range.windowMs, anchorMs: range.startMs, inputs: range.inputs };
  }

  take(readings: readonly Reading[]): void {
    const { buffer, windows } = collect(this.buffer, readings, this.plan);
    this.buffer = buffer;
    for (const window of windows) this.keep(window);
  }

  state(): LearnerState {
    return { buffer: this.buffer, learnt: this.learnt, stride: this.stride, seen: this.seen };
  }

  /** A last window of which the range covers less than half counts only if there is no other. */
  result(): LearntWindow[] {
    const rest = finish(this.buffer, this.plan);
    for (const window of rest) {
      if (this.seen === 0 || window.startMs + this.range.windowMs / 2 <= this.range.endMs) this.keep(window);
    }
    return this.learnt;
  }

  private keep(window: Window): void {
    this.seen += 1;
    if ((this.seen - 1) % this.stride !== 0) return;
    const endMs = Math.min(window.endMs, this.range.endMs);
    this.learnt.push({ startMs: window.startMs, endMs, features: describeWindow(window) });
    if (this.learnt.length <= MAX_WINDOWS) return;
    this.stride *= 2;
    this.learnt = this.learnt.filter((_, at) => at % 2 === 0);
  }
}
