import type { Transaction } from 'sequelize';
import type { LabelledRange } from '../../edge/time-range';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { PacedWork } from '../../fairness/paced-work';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import { finishCharged, type Steps } from '../../platform/steps';
import { type Example, type LearntWindow, learning, windowMsOf, writeModel } from '../../points';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import { TrainingJob } from '../../storage/models/training-job.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { examplesOf, forgetExamples, replaceExamples, versionOfExamples } from './service-examples';

export interface TrainingData extends LabelledRange {
  readonly windowMs: number;
  readonly windows: readonly LearntWindow[];
}

/** Runs in the same transactions. Throws to roll them back. */
export interface Alongside {
  /** While the examples are stored. */
  begin(transaction: Transaction): Promise<void>;
  /** While the model is stored. */
  end(transaction: Transaction): Promise<void>;
}

const MAX_TRIES = 10;

/**
 * Computing takes up to some seconds, so no service is locked: a model is stored only if its examples are still
 * current. Until then passes use the previous one.
 */
export class LearntModels {
  constructor(
    private readonly database: Database,
    private readonly shares: FairShareScheduler,
  ) {}

  /**
   * Replaces the data of the range, and computes the model again. Throws InvalidInput for a range without windows,
   * Conflict if the window length has changed.
   */
  async add(serviceId: number, trainingData: TrainingData, alongside?: Alongside): Promise<void> {
    if (trainingData.windows.length === 0) throw nothingToLearn();
    await inTransaction(this.database.sequelize, async (transaction) => {
      const service = await lockService(serviceId, transaction);
      if (windowMsOf(service.settings) !== trainingData.windowMs) {
        throw new Conflict('the length of the windows of the service was changed meanwhile');
      }
      await alongside?.begin(transaction);
      await replaceExamples(serviceId, trainingData, trainingData, transaction);
    });
    await this.rebuild(serviceId, (transaction) => alongside?.end(transaction));
  }

  /**
   * Computes in the time of the service's owner. Call after the commit that changes examples. Throws Conflict if they
   * change again and again.
   */
  async rebuild(serviceId: number, end?: (transaction: Transaction) => Promise<void> | undefined): Promise<void> {
    const owner = await Sensor.findByPk(serviceId, { attributes: ['ownerId'] });
    const work = new PacedWork(this.shares, owner?.ownerId ?? 0);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const version = await versionOfExamples(serviceId);
      const model = await finishCharged(modelOf(await examplesOf(serviceId, work)), work);
      const isStored = await inTransaction(this.database.sequelize, async (transaction) => {
        await lockService(serviceId, transaction);
        if ((await versionOfExamples(serviceId, transaction)) !== version) return false;
        await Service.update({ model }, { where: { id: serviceId }, transaction });
        await end?.(transaction);
        return true;
      });
      if (isStored) return;
    }
    throw new Conflict('other training data of the service was changed again and again meanwhile: try it again');
  }
}

/**
 * Deletes the label's examples and pending training jobs. The caller has locked the service, and computes the model
 * after the commit.
 */
export async function forgetLabel(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  await TrainingJob.destroy({ where: { serviceId, label, status: 'pending' }, transaction });
  await forgetExamples(serviceId, label, transaction);
}

async function lockService(serviceId: number, transaction: Transaction): Promise<Service> {
  const service = await Service.findByPk(serviceId, forUpdate(transaction));
  if (!service) throw new NotFound('the service');
  return service;
}

function* modelOf(examples: readonly Example[]): Steps<string> {
  const model = yield* learning(examples);
  yield;
  return writeModel(model);
}

function nothingToLearn(): InvalidInput {
  const why = 'is in a range in which the sensors of the service have no data that it can learn from';
  return new InvalidInput('the sensors of the service have no data in this range that it can learn from', {
    start_date: why,
    end_date: why,
  });
}
