import type { Transaction } from 'sequelize';
import type { Clock } from '../platform/clock';
import type { JobQueue } from '../queue/job-queue';
import type { Database } from '../storage';
import { runIn } from '../storage/transaction';
import { type NewEvent, raiseEvents } from './event-rows';

/** Records events in the transactions that cause them. */
export class EventLog {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Raises one or more events in the transaction. Their dispatch is enqueued only after the commit. Raise an event
   * before a removal that revokes a right to see, and after a change that grants one.
   */
  async raise(transaction: Transaction, event: NewEvent | readonly NewEvent[]): Promise<void> {
    const run = runIn(this.database.sequelize, transaction);
    const userIds = await raiseEvents(run, [event].flat(), this.clock.now());
    if (userIds.length > 0) transaction.afterCommit(() => this.jobQueue.enqueueEventDispatch(userIds));
  }
}
