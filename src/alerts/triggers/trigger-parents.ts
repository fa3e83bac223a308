import { Op, type Transaction } from 'sequelize';
import type { Author } from '../../access/author';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import type { ModelEdit } from '../../access/rule-edit';
import { recheckHeld } from '../../notifications';
import { Conflict } from '../../platform/errors';
import { Trigger } from '../../storage/models/trigger.model';
import { forShare, forUpdate } from '../../storage/transaction';
import {
  DEPENDENCY_COLUMNS,
  type DependencyColumns,
  dependencyColumns,
  dependencyProblem,
  MAX_DEPTH,
} from '../rules/dependency';
import { countVersion, recordVersion } from './trigger-versions';

interface WantedParent {
  ownerId: number;
  /** Absent for a new trigger. */
  id?: number;
  parentId: number | null | undefined;
}

/**
 * Throws NotFound without the parent, Conflict for a cycle or too long a chain. Locks the owner until the end of the
 * transaction: two edits at once cannot make a cycle. Call it before anything else is locked.
 */
export async function requireParent(
  transaction: Transaction,
  { ownerId, id = 0, parentId = null }: WantedParent,
): Promise<void> {
  if (parentId === null) return;
  await lockUser(ownerId, transaction);
  // Shared with a deletion of the parent, which removes the dependencies that it finds.
  await findOwned(Trigger, { id: parentId, ownerId }, 'the trigger that it depends on', forShare(transaction));
  const dependent = await Trigger.findAll({
    attributes: ['id', 'parentId'],
    where: { ownerId, parentId: { [Op.ne]: null } },
    transaction,
  });
  const parents = new Map(dependent.map((trigger) => [trigger.id, Number(trigger.parentId)]));
  const problem = dependencyProblem(parents, id, parentId);
  if (problem?.kind === 'too-deep')
    throw new Conflict(`at most ${MAX_DEPTH} triggers in a row may depend on each other`);
  if (!problem) return;
  const names = await namesOf(problem.chain, transaction);
  throw new Conflict(`the triggers would depend on each other in a cycle: ${names.join(' → ')}`);
}

/** Throws Conflict if the trigger that a version depends on is gone. */
export async function requireSameParent(ownerId: number, { parentId }: DependencyColumns): Promise<void> {
  if (parentId !== null && !(await Trigger.findOne({ attributes: ['id'], where: { id: parentId, ownerId } })))
    throw new Conflict('the trigger that this version depends on was deleted');
}

/** Requires the transaction of a change of these columns: another dependency may hold nothing. */
export async function followParent(
  { run }: ModelEdit,
  id: number,
  changed: readonly string[],
  nowMs: number,
): Promise<void> {
  if (DEPENDENCY_COLUMNS.some((column) => changed.includes(column))) await recheckHeld(run, id, nowMs);
}

async function namesOf(ids: readonly number[], transaction: Transaction): Promise<string[]> {
  const triggers = await Trigger.findAll({ attributes: ['id', 'name'], where: { id: [...ids] }, transaction });
  const names = new Map(triggers.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? String(id));
}

/** Requires the transaction that deletes the trigger. Triggers that depend on it no longer do. */
export async function freeDependents(
  edit: ModelEdit,
  { id, ownerId }: Pick<Trigger, 'id' | 'ownerId'>,
  author: Author & { nowMs: number },
): Promise<void> {
  const { transaction } = edit;
  const dependents = await Trigger.findAll({
    where: { ownerId, parentId: id },
    order: ['id'],
    ...forUpdate(transaction),
  });
  for (const dependent of dependents) {
    await edit.affects({ triggerId: dependent.id });
    dependent.set(dependencyColumns(null));
    const changed = countVersion(dependent);
    await dependent.save({ transaction });
    await recordVersion(dependent, changed, author, transaction);
  }
}
