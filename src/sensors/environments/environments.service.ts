import type { Attributes, Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import { ancestorsOf } from '../../platform/nesting';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Environment } from '../../storage/models/environment.model';
import { forShare, forUpdate, type RowLock } from '../../storage/transaction';

export type EnvironmentInput = Partial<Pick<Attributes<Environment>, 'name' | 'floors' | 'gpsOutline' | 'position'>>;

/**
 * An environment is part of at most one other. For other users environments do not exist, except through a shared
 * sensor. Passes cache the zones of the owners of their sensors.
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

  find(userId: number, id: number): Promise<Environment> {
    return findOwned(Environment, { id, ownerId: userId }, 'the environment');
  }

  async create(userId: number, fields: EnvironmentInput & { name: string }) {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await edit.affects({ ownerId: userId });
      const environment = await Environment.create(
        { floors: null, position: '', gpsOutline: '', ...fields, ownerId: userId, createdMs: this.clock.now() },
        { transaction },
      );
      await this.events.raise(transaction, { name: 'add_environment', subjectId: environment.id, userId });
      return environment;
    });
  }

  /** Changes the given fields. */
  async update(userId: number, id: number, changes: EnvironmentInput): Promise<Environment> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const environment = await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      if (changes.name !== undefined || changes.gpsOutline !== undefined) await edit.affects({ ownerId: userId });
      await environment.update(changes, { transaction });
      await this.events.raise(transaction, { name: 'update_environment', subjectId: id, userId });
      return environment;
    });
  }

  /** Sensors and sub-environments stay, outside of it. */
  async delete(userId: number, id: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const environment = await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      await edit.affects({ ownerId: userId });
      await this.events.raise(transaction, { name: 'delete_environment', subjectId: id, userId });
      await environment.destroy({ transaction });
    });
  }

  /** Direct parts only, by id. */
  async listSubEnvironments(userId: number, id: number, page: Page = LARGEST_PAGE): Promise<PageOf<Environment>> {
    await this.find(userId, id);
    return findPage(Environment, { where: { ownerId: userId, parentId: id }, order: ['id'] }, page);
  }

  /** Connects all or none, and ends their other connection. Throws Conflict if one would be part of itself. */
  async connectSubEnvironments(userId: number, id: number, subIds: readonly number[]): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const parents = await lockTree(userId, edit.transaction);
      for (const required of [id, ...subIds]) {
        if (!parents.has(required)) throw new NotFound(`the environment ${required}`);
      }
      const outer = ancestorsOf(id, parents).find((above) => subIds.includes(above));
      if (outer !== undefined) throw new Conflict(`the environment ${outer} would be part of itself`, 'cycle');
      const moved = [...new Set(subIds)].filter((subId) => parents.get(subId) !== id);
      await this.move(userId, moved, id, edit);
    });
  }

  async disconnectSubEnvironment(userId: number, id: number, subId: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      const sub = await lockEnvironment({ id: subId, ownerId: userId }, forUpdate(transaction));
      if (sub.parentId !== id) throw new NotFound('the sub-environment');
      await this.move(userId, [subId], null, edit);
    });
  }

  private async move(userId: number, ids: number[], parentId: number | null, edit: ModelEdit): Promise<void> {
    const { transaction } = edit;
    await edit.affects({ ownerId: userId });
    await Environment.update({ parentId }, { where: { id: ids }, transaction });
    const moved = ids.map((subjectId) => ({ name: 'update_environment' as const, subjectId, userId }));
    await this.events.raise(transaction, moved);
  }
}

/** Locks until the end of the transaction. Throws NotFound. */
export function lockEnvironment(where: { id: number; ownerId: number }, lock: RowLock): Promise<Environment> {
  return findOwned(Environment, where, 'the environment', lock);
}

/** The parent of each, locked: two concurrent moves could make a cycle that neither sees. */
async function lockTree(ownerId: number, transaction: Transaction): Promise<Map<number, number | null>> {
  const environments = await Environment.findAll({
    attributes: ['id', 'parentId'],
    where: { ownerId },
    order: ['id'],
    ...forUpdate(transaction),
  });
  return new Map(environments.map(({ id, parentId }) => [id, parentId]));
}
