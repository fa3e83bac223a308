import type { Pool } from 'mysql2/promise';
import { readServiceInputs } from '../../alerts';
import type { TimeRange } from '../../edge/time-range';
import { Conflict } from '../../platform/errors';
import {
  type LearnerState,
  type LearntWindow,
  RangeLearner,
  readingOf,
  recognitionKindNamed,
  type ServiceInput,
  windowMsOf,
} from '../../points';
import type { Service } from '../../storage/models/service.model';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';
import { TrainingPoints } from './training-points';
import { learnRange, type RangeTrainingData, type ReadPoint, takePoints } from './training-range';

/** Progress of reading a range. */
interface Stage {
  readonly inputs: readonly string[];
  readonly nextMs: number;
  readonly learner: LearnerState;
}

export type Step = { readonly read: number } & (
  | { readonly state: string }
  | { readonly windows: readonly LearntWindow[] }
);

export class ServiceRange {
  private readonly points: TrainingPoints;
  private readonly inputs: readonly string[];

  private constructor(
    reader: Reader,
    inputs: readonly ServiceInput[],
    private readonly range: TimeRange & { windowMs: number },
    private readonly readPoint: ReadPoint,
  ) {
    const sensorIds = inputs.map(({ sensorId }) => sensorId);
    this.points = new TrainingPoints(reader, sensorIds);
    this.inputs = sensorIds.map(String);
  }

  /** Takes the current inputs; undefined if the service cannot learn. `reader` reads the points. */
  static async of(
    pool: Pool,
    service: Service,
    { startMs, endMs }: TimeRange,
    reader: Reader = pool,
  ): Promise<ServiceRange | undefined> {
    const kind = recognitionKindNamed(service.name);
    if (!kind) return undefined;
    const inputs = (await readServiceInputs(runOn(pool), [service.id], null)).get(service.id) ?? [];
    const range = { startMs, endMs, windowMs: windowMsOf(service.settings) };
    return new ServiceRange(reader, inputs, range, (point) => readingOf(inputs, point, kind.readFields));
  }

  /** Number of points in the range. */
  count(): Promise<number> {
    return this.points.count(this.range);
  }

  /** The whole range at once. */
  learn(): Promise<RangeTrainingData> {
    return learnRange(this.points, { ...this.range, inputs: this.inputs }, this.readPoint);
  }

  /**
   * Reads at least `points` more. `state` is the previous step's result, null at first. Steps lead to the same windows
   * as one call. Throws Conflict if the inputs have changed.
   */
  async learnNext(state: string | null, points: number): Promise<Step> {
    const stage: Stage | null = state === null ? null : JSON.parse(state);
    if (stage && stage.inputs.join() !== this.inputs.join()) {
      throw new Conflict('the sensors of the service were changed meanwhile');
    }
    const learner = new RangeLearner({ ...this.range, inputs: this.inputs }, stage?.learner);
    const rest = { startMs: stage?.nextMs ?? this.range.startMs, endMs: this.range.endMs };
    const { read, nextMs } = await takePoints(this.points, rest, learner, this.readPoint, points);
    if (nextMs === null) return { read, windows: learner.result() };
    const next: Stage = { inputs: this.inputs, nextMs, learner: learner.state() };
    return { read, state: JSON.stringify(next) };
  }
}
