import type { Pool } from 'mysql2/promise';
import { runOn } from '../../database/transaction';
import { type LearnerState, type LearntWindow, RangeLearner } from '../../domain/learning/range-learner';
import { Conflict } from '../../errors';
import { readServiceInputs } from '../../ingest/service-states';
import type { Service } from '../../models/service.model';
import { readingOf, windowMsOf } from '../../sensor-services/recognition';
import { recognitionKindNamed } from '../../sensor-services/recognition-kinds';
import type { ServiceInput } from '../../sensor-services/sensor-service';
import { TrainingPoints } from './training-points';
import { learnRange, type RangeTrainingData, type ReadPoint, takePoints } from './training-range';

interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** How far a range was read, and with which sensors. */
interface Stage {
  readonly inputs: readonly string[];
  readonly nextMs: number;
  readonly learner: LearnerState;
}

/** What reading on came to: to a point from which to read on again, or to the windows of the whole range. */
export type Step = { readonly read: number } & (
  | { readonly state: string }
  | { readonly windows: readonly LearntWindow[] }
);

/** What the sensors of a service have stored in a range of time; both ends belong to it. */
export class ServiceRange {
  private readonly points: TrainingPoints;
  private readonly inputs: readonly string[];

  private constructor(
    pool: Pool,
    inputs: readonly ServiceInput[],
    private readonly range: Range & { windowMs: number },
    private readonly readPoint: ReadPoint,
  ) {
    const sensorIds = inputs.map(({ sensorId }) => sensorId);
    this.points = new TrainingPoints(pool, sensorIds);
    this.inputs = sensorIds.map(String);
  }

  /** The range, with the sensors that feed the service now; undefined when it is no service that learns. */
  static async of(pool: Pool, service: Service, { startMs, endMs }: Range): Promise<ServiceRange | undefined> {
    const kind = recognitionKindNamed(service.name);
    if (!kind) return undefined;
    const inputs = (await readServiceInputs(runOn(pool), [service.id])).get(service.id) ?? [];
    const range = { startMs, endMs, windowMs: windowMsOf(service.settings) };
    return new ServiceRange(pool, inputs, range, (point) => readingOf(inputs, point, kind.readFields));
  }

  count(): Promise<number> {
    return this.points.count({ fromMs: this.range.startMs, toMs: this.range.endMs });
  }

  /** What all of it teaches. */
  learn(): Promise<RangeTrainingData> {
    return learnRange(this.points, { ...this.range, inputs: this.inputs }, this.readPoint);
  }

  /**
   * Reads at least so many points more of it. `state` is what the step before answered, null for the first. Step by step
   * comes to the same windows as all at once.
   */
  async learnOn(state: string | null, points: number): Promise<Step> {
    const stage: Stage | null = state === null ? null : JSON.parse(state);
    if (stage && stage.inputs.join() !== this.inputs.join()) {
      throw new Conflict('the sensors of the service were changed meanwhile');
    }
    const learner = new RangeLearner({ ...this.range, inputs: this.inputs }, stage?.learner);
    const span = { fromMs: stage?.nextMs ?? this.range.startMs, toMs: this.range.endMs };
    const { read, nextMs } = await takePoints(this.points, span, learner, this.readPoint, points);
    if (nextMs === null) return { read, windows: learner.result() };
    const next: Stage = { inputs: this.inputs, nextMs, learner: learner.state() };
    return { read, state: JSON.stringify(next) };
  }
}
