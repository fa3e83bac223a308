import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import type { Database } from '../database';
import { Conflict, InvalidInput, NotFound } from '../errors';
import type { RunSql } from '../ingest/event-audience';
import { readServiceInputs } from '../ingest/service-inputs';
import { Service } from '../models/service.model';
import type { LabelledRange } from '../requests/learning.request';
import { type RecognitionKind, readingOf, windowMsOf } from '../sensor-services/recognition';
import { recognitionKindNamed } from '../sensor-services/recognition-kinds';
import { LearningPoints } from './learning-points';
import { learnRange, type RangeLesson } from './learning-range';
import { rebuildModel } from './learnt-models';
import type { SensorAccess } from './sensor-access';
import { replaceExamples } from './service-examples';
import type { ServiceMethodsService } from './service-methods.service';
import { inTransaction } from './transaction';

/** Where a service is named: one of the sensors that feed it, and its own id. */
export interface ServicePlace {
  readonly sensorId: number;
  readonly serviceId: number;
}

/** Teaches services what states look like, from data that is already stored. */
export class LearningService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly methods: ServiceMethodsService,
  ) {}

  /**
   * Learns the data of all sensors of the service in the range as one state, in the place of what was learnt of that
   * range before. Returns how many points were learnt.
   */
  async learn(userId: number, place: ServicePlace, range: LabelledRange): Promise<number> {
    const { service, kind } = await this.load(userId, place);
    const windowMs = windowMsOf(service.settings);
    const { windows, points } = await this.read(service.id, kind, { ...range, windowMs });
    if (windows.length === 0) {
      const why = 'is in a range in which the sensors of the service have no data that it can learn';
      throw new InvalidInput('the sensors of the service have no data in this range that it can learn', {
        start_date: why,
        end_date: why,
      });
    }
    await inTransaction(this.database.sequelize, async (transaction) => {
      await this.lock(service.id, windowMs, transaction);
      await replaceExamples(service.id, range, { label: range.label, windows }, transaction);
      await rebuildModel(service.id, transaction);
    });
    return points;
  }

  private async load(userId: number, { sensorId, serviceId }: ServicePlace) {
    const { service } = await this.methods.find(userId, sensorId, serviceId);
    const kind = recognitionKindNamed(service.name);
    if (!kind) throw new NotFound('the method');
    await this.access.own(userId, serviceId);
    return { service, kind };
  }

  private async read(
    serviceId: number,
    kind: RecognitionKind,
    range: { startMs: number; endMs: number; windowMs: number },
  ): Promise<RangeLesson> {
    const { pool } = this.database;
    const run: RunSql = async (sql, values) => (await pool.query<RowDataPacket[]>(sql, values))[0];
    const inputs = (await readServiceInputs(run, [serviceId])).get(serviceId) ?? [];
    const sensorIds = inputs.map(({ sensorId }) => sensorId);
    return learnRange(new LearningPoints(pool, sensorIds), { ...range, inputs: sensorIds.map(String) }, (point) =>
      readingOf(inputs, point, kind.readFields),
    );
  }

  /** From here to the end of the transaction no turn computes with the old model, and nobody else changes it. */
  private async lock(serviceId: number, windowMs: number, transaction: Transaction): Promise<void> {
    const service = await Service.findByPk(serviceId, { transaction, lock: transaction.LOCK.UPDATE });
    if (!service) throw new NotFound('the service');
    if (windowMsOf(service.settings) !== windowMs) {
      throw new Conflict('the length of the windows of the service was changed meanwhile');
    }
  }
}
