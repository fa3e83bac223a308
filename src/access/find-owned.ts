import type { Attributes, Model, ModelStatic, WhereOptions } from 'sequelize';
import { NotFound } from '../platform/errors';
import type { RowLock } from '../storage/transaction';

/** Throws NotFound, also for a row of another user. */
export async function findOwned<M extends Model>(
  model: ModelStatic<M>,
  where: WhereOptions<Attributes<M>> & { ownerId: number },
  what: string,
  lock?: RowLock,
): Promise<M> {
  const row = await model.findOne({ where, ...lock });
  if (!row) throw new NotFound(what);
  return row;
}

/** Locks in the order of ids. Throws NotFound, also for a row of another user. */
export async function lockOwned<M extends Model & { id: number; ownerId: number }>(
  model: ModelStatic<M>,
  { ids, ownerId }: { ids: readonly number[]; ownerId: number },
  what: string,
  lock: RowLock,
): Promise<M[]> {
  const anyModel: ModelStatic<Model> = model;
  const rows = await anyModel.findAll({ where: { id: [...new Set(ids)], ownerId }, order: ['id'], ...lock });
  const found = rows as M[]; // rows of this model
  const foundIds = new Set(found.map(({ id }) => id));
  const missing = ids.find((id) => !foundIds.has(id));
  if (missing !== undefined) throw new NotFound(`${what} ${missing}`);
  return found;
}
