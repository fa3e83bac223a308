import type { Sequelize, Transaction } from 'sequelize';
import type { TransactionConnection } from '../../storage/pipeline';
import { beforeCommit, type RunSql, runIn, runOn } from '../../storage/transaction';
import { currentAct } from './act';
import { type Change, Changes } from './changes';

const changesOf = new WeakMap<object, Changes>();

/** Records a change that SQL makes. Nothing without an act: work by the clock has records of its own. */
export function noteChange(connection: TransactionConnection, change: Change): void {
  noteIn(connection, runOn(connection), change);
}

export function noteModelChange(sequelize: Sequelize, transaction: Nested, change: Change): void {
  const outer = transaction.parent ?? transaction;
  noteIn(outer, runIn(sequelize, outer), change);
}

/** A savepoint has the transaction that it is in. */
export type Nested = Transaction & { parent?: Transaction };

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
