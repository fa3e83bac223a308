import type { RowDataPacket } from 'mysql2/promise';
import type { Attributes, Model, ModelStatic, Order, WhereOptions } from 'sequelize';
import type { Page, PageOf } from '../edge/paging';
import type { Reader } from './read-pool';

export interface Sql {
  text: string;
  values: unknown[];
}

/** Rows of `where`, in this order. */
export async function findPage<M extends Model>(
  model: ModelStatic<M>,
  { where, order }: { where: WhereOptions<Attributes<M>>; order: Order },
  { offset, limit, withTotal }: Page,
): Promise<PageOf<M>> {
  const items = await model.findAll({ where, order, offset, limit });
  return { items, total: withTotal ? await model.count({ where }) : undefined };
}

/** Finds a page by SQL. `count` selects one `total`. */
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
