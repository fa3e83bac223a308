import type { RowDataPacket } from 'mysql2/promise';
import type { Attributes, Model, ModelStatic, Order, WhereOptions } from 'sequelize';
import type { Page, PageOf } from '../edge/paging';
import type { Reader } from './read-pool';

export interface Sql {
  text: string;
  values: unknown[];
}

/** A page of the rows that `where` selects, in this order. */
export async function findPage<M extends Model>(
  model: ModelStatic<M>,
  { where, order }: { where: WhereOptions<Attributes<M>>; order: Order },
  { offset, limit, withTotal }: Page,
): Promise<PageOf<M>> {
  const items = await model.findAll({ where, order, offset, limit });
  return { items, total: withTotal ? await model.count({ where }) : undefined };
}

/**
 * The same by SQL. `page` selects the rows of the page. `count` selects one `total`; it is omitted if no total is
 * wanted.
 */
export async function queryPage<T>(
  pool: Reader,
  { page, count }: { page: Sql; count?: Sql },
  toItem: (row: RowDataPacket) => T,
): Promise<PageOf<T>> {
  const [rows] = await pool.query<RowDataPacket[]>(page.text, page.values);
  const items = rows.map(toItem);
  if (!count) return { items };
  const [[counted]] = await pool.query<RowDataPacket[]>(count.text, count.values);
  return { items, total: Number(counted?.total) };
}
