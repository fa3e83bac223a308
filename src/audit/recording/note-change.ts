import type { Model, ModelStatic, Transaction } from 'sequelize';
import type { TransactionConnection } from '../../storage/pipeline';
import { beforeCommit, type RunSql, runIn, runOn } from '../../storage/transaction';
import { currentAct } from './act';
import { type Change, Changes } from './changes';

/** The options of a statement of a model. */
export interface Within {
  transaction?: (Transaction & { parent?: Transaction }) | null | undefined;
}

const changesOf = new WeakMap<object, Changes>();

/** Records a change that SQL makes. Nothing without an act: work by the clock has records of its own. */
export function noteChange(connection: TransactionConnection, change: Change): void {
  noteIn(connection, runOn(connection), change);
}

/** Records a change in a transaction of models. Throws outside of one: the record would be lost. */
export function noteModelChange(
  { name, sequelize }: ModelStatic<Model>,
  { transaction }: Within,
  change: Change,
): void {
  if (!currentAct()) return;
  if (!transaction || !sequelize) {
    throw new Error(`${name} is changed outside of a transaction, which would lose its audit record`);
  }
  const outer = transaction.parent ?? transaction;
  noteIn(outer, runIn(sequelize, outer), change);
}

function noteIn(transaction: Transaction | TransactionConnection, run: RunSql, change: Change): void {
  const act = currentAct();
  if (!act) return;
  let changes = changesOf.get(transaction);
  if (!changes) {
    const begun = new Changes(act);
    changes = begun;
    changesOf.set(transaction, begun);
    beforeCommit(transaction, () => begun.write(run));
  }
  changes.add(change);
}
