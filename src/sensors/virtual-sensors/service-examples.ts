import { col, type FindAttributeOptions, fn, Op, type Transaction } from 'sequelize';
import type { TimeRange } from '../../edge/time-range';
import type { PacedWork } from '../../fairness/paced-work';
import { Conflict } from '../../platform/errors';
import { partsOf } from '../../platform/parts-of';
import { type Example, type LearntWindow, usedExamples } from '../../points';
import { ServiceExample } from '../../storage/models/service-example.model';

const MAX_LABELS = 50;
const MAX_EXAMPLES_PER_LABEL = 500;
/** Rows have some 30 KB, and up to 90. */
const ROWS_AT_ONCE = 50;

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

/** Changes with each change of the examples. */
export async function versionOfExamples(serviceId: number, transaction?: Transaction): Promise<string> {
  const attributes: FindAttributeOptions = [
    [fn('COUNT', col('id')), 'count'],
    [fn('MAX', col('id')), 'newest'],
    [fn('SUM', col('id')), 'sum'],
  ];
  return JSON.stringify(await ServiceExample.findAll({ attributes, where: { serviceId }, transaction, raw: true }));
}

/** Those that a model uses, oldest window first: no others are in memory. Leaves out examples deleted meanwhile. */
export async function examplesOf(serviceId: number, work: PacedWork): Promise<Example[]> {
  const all = await ServiceExample.findAll({
    attributes: ['id', 'label'],
    where: { serviceId },
    order: [
      ['startMs', 'ASC'],
      ['id', 'ASC'],
    ],
    raw: true,
  });
  const examples: Example[] = [];
  for (const part of partsOf(usedExamples(all), ROWS_AT_ONCE)) {
    const ids = part.map(({ id }) => id);
    const rows = await ServiceExample.findAll({ where: { id: ids }, raw: true });
    const featuresOf = new Map(rows.map(({ id, features }) => [id, features]));
    for (const { id, label } of part) {
      const features = featuresOf.get(id);
      if (features !== undefined) examples.push({ label, features: work.measure(() => JSON.parse(features)) });
      if (work.isPauseDue) await work.pause();
    }
  }
  return examples;
}

/**
 * Replaces all training data of the range, under any label. A range that ends where this one begins keeps its windows;
 * a range may be an instant.
 */
export async function replaceExamples(
  serviceId: number,
  { startMs, endMs }: TimeRange,
  trainingData: { label: string; windows: readonly LearntWindow[] },
  transaction: Transaction,
): Promise<void> {
  await ServiceExample.destroy({
    where: { serviceId, [Op.or]: [{ startMs: { [Op.lt]: endMs }, endMs: { [Op.gt]: startMs } }, { startMs }] },
    transaction,
  });
  await requireRoomFor(serviceId, trainingData.label, transaction);
  const { label } = trainingData;
  for (const windows of partsOf(trainingData.windows, ROWS_AT_ONCE)) {
    const rows = windows.map(({ features, ...range }) => {
      return { serviceId, label, ...range, features: JSON.stringify(features) };
    });
    await ServiceExample.bulkCreate(rows, { transaction });
  }
  await dropOldest(serviceId, trainingData.label, transaction);
}

/** Throws Conflict at the limit of labels. */
export async function requireRoomFor(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  const labels = await learntLabels(serviceId, transaction);
  if (!labels.includes(label) && labels.length >= MAX_LABELS) {
    throw new Conflict(`the service has learnt ${MAX_LABELS} labels, which is the maximum: let it forget one first`);
  }
}

/** Returns false if there were none. */
export async function forgetExamples(serviceId: number, label: string, transaction: Transaction): Promise<boolean> {
  return (await ServiceExample.destroy({ where: { serviceId, label }, transaction })) > 0;
}

/** The newest stay. */
async function dropOldest(serviceId: number, label: string, transaction: Transaction): Promise<void> {
  const [newestDropped] = await ServiceExample.findAll({
    attributes: ['id'],
    where: { serviceId, label },
    order: [['id', 'DESC']],
    offset: MAX_EXAMPLES_PER_LABEL,
    limit: 1,
    transaction,
  });
  if (!newestDropped) return;
  const where = { serviceId, label, id: { [Op.lte]: newestDropped.id } };
  await ServiceExample.destroy({ where, transaction });
}
