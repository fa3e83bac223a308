import {
  col,
  type FindAttributeOptions,
  type FindOptions,
  fn,
  type Model,
  type ModelStatic,
  type WhereOptions,
} from 'sequelize';
import type { Page } from '../../domain/paging';
import { InvalidInput } from '../../errors';

/** Of values or texts in one answer. It is put together in memory, where each costs several times its bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** InvalidInput when so many bytes of values or texts on one page are too many for one answer. */
export function requireFits(bytes: number): void {
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw InvalidInput.field('per_page', 'asks for more than 32 MB of text at once; ask for fewer per page');
}

/** The ids of a page; InvalidInput when its texts, which are in this column, are too large for one answer. */
export async function fittingPage(
  rows: ModelStatic<Model>,
  column: 'text' | 'variables',
  where: WhereOptions,
  { offset, limit }: Page,
  sort: 'ASC' | 'DESC',
): Promise<number[]> {
  const attributes: FindAttributeOptions = ['id', [fn('LENGTH', col(column)), 'bytes']];
  const find: FindOptions = { attributes, where, order: [['id', sort]], offset, limit, raw: true };
  const sizes = (await rows.findAll(find)) as unknown as { id: number; bytes: number }[]; // the attributes
  requireFits(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
  return sizes.map(({ id }) => id);
}
