import type { Transaction } from 'sequelize';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import { learning } from '../../rules/learning/classifier';
import type { LearntWindow } from '../../rules/learning/range-learner';
import { finishPaced } from '../../rules/paced';
import type { LabelledRange } from '../../rules/time-range';
import { writeModel } from '../../sensor-services/learnt-model';
import { windowMsOf } from '../../sensor-services/recognition';
import { Service } from '../../storage/models/service.model';
import { TrainingJob } from '../../storage/models/training-job.model';
import { forUpdate } from '../../storage/transaction';
import { examplesOf, forgetExamples, replaceExamples } from './service-examples';

/** The windows of this length in a range of time, with its label. */
export interface TrainingData extends LabelledRange {
  readonly windowMs: number;
  readonly windows: readonly LearntWindow[];
}

/**
 * Replaces the training data of that range, and computes the model again from all examples. The service is locked until
 * the end of the transaction, so that no pass uses the old model meanwhile. InvalidInput if the range has no windows,
 * Conflict if the length of the service's windows has changed.
 */
export async function addTrainingData(
  serviceId: number,
  trainingData: TrainingData,
  transaction: Transaction,
): Promise<void> {
  if (trainingData.windows.length === 0) throw nothingToLearn();
  const service = await Service.findByPk(serviceId, forUpdate(transaction));
  if (!service) throw new NotFound('the service');
  if (windowMsOf(service.settings) !== trainingData.windowMs) {
    throw new Conflict('the length of the windows of the service was changed meanwhile');
  }
  await replaceExamples(serviceId, trainingData, trainingData, transaction);
  await rebuildModel(serviceId, transaction);
}

/**
 * Deletes the examples and the pending training jobs of a label, and computes the model again. The caller has locked the
 * service.
 */
export async function forgetLabel(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  await TrainingJob.destroy({ where: { serviceId, label, status: 'pending' }, transaction });
  await forgetExamples(serviceId, label, transaction);
  await rebuildModel(serviceId, transaction);
}

async function rebuildModel(serviceId: number, transaction: Transaction): Promise<void> {
  const model = writeModel(await finishPaced(learning(await examplesOf(serviceId, transaction))));
  await Service.update({ model }, { where: { id: serviceId }, transaction });
}

function nothingToLearn(): InvalidInput {
  const why = 'is in a range in which the sensors of the service have no data that it can learn from';
  return new InvalidInput('the sensors of the service have no data in this range that it can learn from', {
    start_date: why,
    end_date: why,
  });
}
