import {
  type Attributes,
  col,
  type FindAttributeOptions,
  fn,
  type Model,
  type ModelStatic,
  type Order,
  type WhereOptions,
} from 'sequelize';
import type { Page, PageOf } from '../edge/paging';
import { InvalidInput } from '../platform/errors';
import { chargeAnswer } from './cancellation';

/** Values stay in memory until the client has read them. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Call before reading. Throws InvalidInput if the values exceed one response. */
export function requireFits(bytes: number): void {
  if (bytes > MAX_RESPONSE_BYTES) {
    throw InvalidInput.field('per_page', 'asks for more than 32 MB of text at once; ask for fewer per page');
  }
  chargeAnswer(bytes);
}

/** Throws InvalidInput if the texts in `column` exceed one response. */
export async function findFittingPage<M extends Model>(
  model: ModelStatic<M>,
  column: 'text' | 'variables' | 'last_data_value',
  { where, sort }: { where: WhereOptions<Attributes<M>>; sort: 'ASC' | 'DESC' },
  { offset, limit, withTotal }: Page,
): Promise<PageOf<M>> {
  const anyModel: ModelStatic<Model> = model;
  const order: Order = [['id', sort]];
  const attributes: FindAttributeOptions = ['id', [fn('COALESCE', fn('LENGTH', col(column)), 0), 'bytes']];
  const found = await anyModel.findAll({ attributes, where, order, offset, limit, raw: true });
  const sizes = found as unknown as { id: number; bytes: number }[]; // the attributes
  requireFits(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
  const items = await anyModel.findAll({ where: { id: sizes.map(({ id }) => id) }, order });
  return { items: items as M[], total: withTotal ? await model.count({ where }) : undefined }; // rows of this model
}
