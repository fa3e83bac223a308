import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { findPage } from '../../database/find-page';
import { forShare, forUpdate, inTransaction, type RowLock } from '../../database/transaction';
import { ancestorsOf } from '../../domain/nesting';
import { LARGEST_PAGE, type Page, type PageOf } from '../../domain/paging';
import { withoutUndefined } from '../../domain/without-undefined';
import { Conflict, NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { Environment } from '../../models/environment.model';
import { findOwned } from '../access/find-owned';

/** What a caller says of an environment; undefined stays as it is. */
export interface EnvironmentChanges {
  name?: string;
  floors?: number;
  gpsOutline?: string;
  position?: string;
}

/**
 * The named places of a user, each in one other at most. To everybody else they do not exist, except through a shared
 * sensor.
 */
export class EnvironmentsService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Environment>> {
    return findPage(Environment, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  async find(userId: number, id: number): Promise<Environment> {
    return findOwned(Environment, { id, ownerId: userId }, 'the environment');
  }

  async create(userId: number, { gpsOutline = '', ...fields }: EnvironmentChanges & { name: string }) {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const environment = await Environment.create(
        {
          floors: null,
          position: '',
          ...withoutUndefined(fields),
          gpsOutline,
          ownerId: userId,
          createdMs: this.clock.now(),
        },
        { transaction },
      );
      await this.events.raise(transaction, { name: 'add_environment', subjectId: environment.id, userId });
      return environment;
    });
  }

  /** Changes what is given. */
  async update(userId: number, id: number, changes: EnvironmentChanges): Promise<Environment> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const environment = await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      await environment.update(withoutUndefined(changes), { transaction });
      await this.events.raise(transaction, { name: 'update_environment', subjectId: id, userId });
      return environment;
    });
  }

  /** Its sensors and sub environments stay, outside of it. */
  async remove(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const environment = await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      await this.events.raise(transaction, { name: 'delete_environment', subjectId: id, userId });
      await environment.destroy({ transaction });
    });
  }

  /** The environments that are directly in this one. */
  async listSubs(userId: number, id: number, page: Page = LARGEST_PAGE): Promise<PageOf<Environment>> {
    await this.find(userId, id);
    return findPage(Environment, { where: { ownerId: userId, parentId: id }, order: ['id'] }, page);
  }

  /** Makes environments part of this one, all or none; they leave those that they were part of. */
  async addSubs(userId: number, id: number, subIds: readonly number[]): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const parents = await holdTree(userId, transaction);
      for (const needed of [id, ...subIds]) {
        if (!parents.has(needed)) throw new NotFound(`the environment ${needed}`);
      }
      const outer = ancestorsOf(id, parents).find((above) => subIds.includes(above));
      if (outer !== undefined) throw new Conflict(`the environment ${outer} would be part of itself`, 'cycle');
      const moved = [...new Set(subIds)].filter((subId) => parents.get(subId) !== id);
      await this.move(userId, moved, id, transaction);
    });
  }

  /** Takes an environment out of this one; it is part of none then. */
  async removeSub(userId: number, id: number, subId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      const sub = await lockEnvironment({ id: subId, ownerId: userId }, forUpdate(transaction));
      if (sub.parentId !== id) throw new NotFound('the sub environment');
      await this.move(userId, [subId], null, transaction);
    });
  }

  private async move(userId: number, ids: number[], parentId: number | null, transaction: Transaction): Promise<void> {
    await Environment.update({ parentId }, { where: { id: ids }, transaction });
    const moved = ids.map((subjectId) => ({ name: 'update_environment' as const, subjectId, userId }));
    await this.events.raise(transaction, moved);
  }
}

/** The user's environment of that id, locked until the end of the transaction; else NotFound. */
export function lockEnvironment(where: { id: number; ownerId: number }, lock: RowLock): Promise<Environment> {
  return findOwned(Environment, where, 'the environment', lock);
}

/** What each environment of the user is in, held: two moves at once could make a cycle that neither of them sees. */
async function holdTree(ownerId: number, transaction: Transaction): Promise<Map<number, number | null>> {
  const environments = await Environment.findAll({
    attributes: ['id', 'parentId'],
    where: { ownerId },
    order: [['id', 'ASC']],
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
  return new Map(environments.map(({ id, parentId }) => [id, parentId]));
}
