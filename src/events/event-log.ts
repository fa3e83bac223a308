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
   * Raises one event or several in the transaction; their dispatch is enqueued once it is committed, and only then. Raise
   * before a removal that takes a right to see away, and after a change that gives one.
   */
  async raise(transaction: Transaction, event: NewEvent | readonly NewEvent[]): Promise<void> {
    const run = runIn(this.database.sequelize, transaction);
    const userIds = await raiseEvents(run, [event].flat(), this.clock.now());
    if (userIds.length > 0) transaction.afterCommit(() => this.jobQueue.enqueueEventDispatch(userIds));
  }
}
