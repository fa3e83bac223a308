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
import { chargeAnswer } from '../../database/wanted';
import type { Page, PageOf } from '../../domain/paging';
import { InvalidInput } from '../../errors';

/** Bytes of values or texts in one response. It is assembled in memory, where each costs several times its bytes. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Smaller ones do not wait for each other. */
const LARGE_BYTES = 1024 * 1024;

/**
 * InvalidInput when the values or texts of a page have too many bytes for one response. Large ones are charged to the caller,
 * and wait until they can be assembled.
 */
export async function requireFits(bytes: number): Promise<void> {
  if (bytes > LARGE_BYTES && bytes <= MAX_RESPONSE_BYTES) await chargeAnswer(bytes);
  if (bytes <= MAX_RESPONSE_BYTES) return;
  throw InvalidInput.field('per_page', 'asks for more than 32 MB of text at once; ask for fewer per page');
}

/** A page of rows, by id; InvalidInput when the texts in `column` are too large for one response. */
export async function findFittingPage<M extends Model>(
  model: ModelStatic<M>,
  column: 'text' | 'variables',
  { where, sort }: { where: WhereOptions<Attributes<M>>; sort: 'ASC' | 'DESC' },
  { offset, limit, withTotal }: Page,
): Promise<PageOf<M>> {
  const anyModel: ModelStatic<Model> = model;
  const order: Order = [['id', sort]];
  const attributes: FindAttributeOptions = ['id', [fn('LENGTH', col(column)), 'bytes']];
  const found = await anyModel.findAll({ attributes, where, order, offset, limit, raw: true });
  const sizes = found as unknown as { id: number; bytes: number }[]; // the attributes
  await requireFits(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
  const items = await anyModel.findAll({ where: { id: sizes.map(({ id }) => id) }, order });
  return { items: items as M[], total: withTotal ? await model.count({ where }) : undefined }; // rows of this model
}
