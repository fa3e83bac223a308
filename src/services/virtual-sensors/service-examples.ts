import { Op, type Transaction } from 'sequelize';
import type { Example } from '../../domain/learning/classifier';
import type { LearntWindow } from '../../domain/learning/range-learner';
import { Conflict } from '../../errors';
import { ServiceExample } from '../../models/service-example.model';

interface Range {
  startMs: number;
  endMs: number;
}

const MAX_LABELS = 50;
const MAX_EXAMPLES_OF_A_LABEL = 500;

/** Every label that the service has learnt, in order. */
export async function learntLabels(serviceId: number, transaction?: Transaction): Promise<string[]> {
  const rows = await ServiceExample.findAll({
    attributes: ['label'],
    where: { serviceId },
    group: ['label'],
    order: [['label', 'ASC']],
    transaction,
  });
  return rows.map(({ label }) => label);
}

/** All examples of the service, oldest window first. */
export async function examplesOf(serviceId: number, transaction: Transaction): Promise<Example[]> {
  const rows = await ServiceExample.findAll({
    where: { serviceId },
    order: [
      ['startMs', 'ASC'],
      ['id', 'ASC'],
    ],
    transaction,
  });
  return rows.map(({ label, features }) => ({ label, features: JSON.parse(features) }));
}

/**
 * Puts the windows in the place of whatever was learnt of that range, under any label. A range that ends where this one
 * begins keeps all of its windows; a range may also be a single instant.
 */
export async function replaceExamples(
  serviceId: number,
  { startMs, endMs }: Range,
  trainingData: { label: string; windows: readonly LearntWindow[] },
  transaction: Transaction,
): Promise<void> {
  await ServiceExample.destroy({
    where: { serviceId, [Op.or]: [{ startMs: { [Op.lt]: endMs }, endMs: { [Op.gt]: startMs } }, { startMs }] },
    transaction,
  });
  await requireRoomFor(serviceId, trainingData.label, transaction);
  await ServiceExample.bulkCreate(
    trainingData.windows.map(({ features, ...range }) => ({
      serviceId,
      label: trainingData.label,
      ...range,
      features: JSON.stringify(features),
    })),
    { transaction },
  );
  await dropOldest(serviceId, trainingData.label, transaction);
}

/** Refuses a label that would be one too many. */
export async function requireRoomFor(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  const labels = await learntLabels(serviceId, transaction);
  if (!labels.includes(label) && labels.length >= MAX_LABELS) {
    throw new Conflict(`the service has learnt ${MAX_LABELS} labels, which is all it can; let it forget one first`);
  }
}

/** Forgets one label; false when the service did not know it. */
export async function forgetExamples(serviceId: number, label: string, transaction: Transaction): Promise<boolean> {
  return (await ServiceExample.destroy({ where: { serviceId, label }, transaction })) > 0;
}

/** What was learnt last counts when there is more than a label can use. */
async function dropOldest(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  const [last] = await ServiceExample.findAll({
    attributes: ['id'],
    where: { serviceId, label },
    order: [['id', 'DESC']],
    offset: MAX_EXAMPLES_OF_A_LABEL,
    limit: 1,
    transaction,
  });
  if (last) await ServiceExample.destroy({ where: { serviceId, label, id: { [Op.lte]: last.id } }, transaction });
}
