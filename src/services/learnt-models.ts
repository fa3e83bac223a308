import type { Transaction } from 'sequelize';
import { learn } from '../domain/learning/classifier';
import { Service } from '../models/service.model';
import { writeModel } from '../sensor-services/learnt-model';
import { examplesOf, forgetExamples } from './service-examples';

/** Learns anew from all examples of the service. Whoever calls this holds the lock on the service's row. */
export async function rebuildModel(serviceId: number, transaction: Transaction): Promise<void> {
  const model = writeModel(learn(await examplesOf(serviceId, transaction)));
  await Service.update({ model }, { where: { id: serviceId }, transaction });
}

/** Takes what was learnt of a label out of the service's examples and its model. The caller holds the lock on its row. */
export async function forgetLabel(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  await forgetExamples(serviceId, label, transaction);
  await rebuildModel(serviceId, transaction);
}
