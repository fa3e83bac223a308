import { Op, type Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { findPage } from '../../database/find-page';
import { findPartitions, raisePartitions, raisePartitionsOf } from '../../database/partition-versions';
import { forUpdate, inTransaction, runIn } from '../../database/transaction';
import type { Page, PageOf } from '../../domain/paging';
import { ruleProblem, type TriggerRule } from '../../domain/trigger-rule';
import { InvalidInput } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { DeletedThing } from '../../models/deleted-thing.model';
import { SensorTrigger } from '../../models/sensor-trigger.model';
import { Trigger } from '../../models/trigger.model';
import { findOwned } from '../access/find-owned';
import { watchInactivity } from './inactivity-watch';
import { disconnectMost } from './trigger-removal';

/** The fields of a trigger that its owner sets; undefined means not given, as does an inactivity of 0 with an expression. */
export interface TriggerInput {
  name?: string;
  expression?: string;
  inactivity?: number;
}

/** The triggers of a user. To everybody else they do not exist. */
export class TriggersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** A page of the user's triggers, by id. */
  list(userId: number, page: Page): Promise<PageOf<Trigger>> {
    return findPage(Trigger, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  /** A trigger of the user. */
  find(userId: number, id: number): Promise<Trigger> {
    return findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
  }

  /** Creates a trigger of the user. */
  async create(userId: number, input: TriggerInput & { name: string }): Promise<Trigger> {
    const fields = { name: input.name, ...readRule(input), ownerId: userId, createdMs: this.clock.now() };
    return inTransaction(this.database.sequelize, async (transaction) => {
      const trigger = await Trigger.create(fields, { transaction });
      await this.events.raise(transaction, { name: 'add_trigger', subjectId: trigger.id, userId });
      return trigger;
    });
  }

  /**
   * Changes what is given; an inactivity of 0 alone removes the inactivity. On every sensor the new rule applies to the next
   * data point and to the present inactivity.
   */
  async update(userId: number, id: number, input: TriggerInput): Promise<Trigger> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      const before = trigger.inactivity;
      trigger.set(changedRule(trigger, input));
      if (input.name !== undefined) trigger.name = input.name;
      await trigger.save({ transaction });
      if (trigger.inactivity === null) await endWatches(id, transaction);
      else if (trigger.inactivity !== before) await this.moveDueTimes(id, before, trigger.inactivity, transaction);
      await this.events.raise(transaction, { name: 'update_trigger', subjectId: id, userId });
      await raisePartitionsOf(runIn(this.database.sequelize, transaction), { triggerId: id });
      return trigger;
    });
  }

  /** Deletes the trigger on every sensor; its firings and their deliveries follow by the purge. */
  async delete(userId: number, id: number): Promise<void> {
    await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    await disconnectMost(this.database.sequelize, id);
    await inTransaction(this.database.sequelize, async (transaction) => {
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await this.events.raise(transaction, { name: 'delete_trigger', subjectId: id, userId });
      await DeletedThing.create({ kind: 'trigger', thingId: id, createdMs: this.clock.now() }, { transaction });
      const run = runIn(this.database.sequelize, transaction);
      const affected = await findPartitions(run, { triggerId: id });
      await trigger.destroy({ transaction });
      await raisePartitions(run, affected);
    });
  }

  private async moveDueTimes(id: number, before: number | null, after: number, transaction: Transaction) {
    const active = await SensorTrigger.findAll({
      where: { triggerId: id, active: true },
      order: [['sensorId', 'ASC']],
      lock: transaction.LOCK.UPDATE,
      transaction,
    });
    // A running watch keeps its start, which already accounts for earlier firings and outages.
    const running = active.filter((row) => row.dueAtMs !== null);
    await SensorTrigger.increment(
      { dueAtMs: (after - (before ?? 0)) * 1000 },
      { where: { id: running.map((row) => row.id) }, transaction },
    );
    const others = active.filter((row) => row.dueAtMs === null);
    await watchInactivity(this.database.sequelize, transaction, others, this.clock.now());
  }
}

async function endWatches(triggerId: number, transaction: Transaction): Promise<void> {
  const where = { triggerId, inactiveSinceMs: { [Op.ne]: null } };
  await SensorTrigger.update({ dueAtMs: null, inactiveSinceMs: null }, { where, transaction });
}

/** The rule of a new trigger; InvalidInput when it is invalid. */
export function readRule({ expression, inactivity }: Pick<TriggerInput, 'expression' | 'inactivity'>): TriggerRule {
  return accepted({ expression: expression ?? null, inactivity: inactivity || null });
}

function changedRule(before: TriggerRule, { expression, inactivity }: TriggerInput): TriggerRule {
  const takenAway = inactivity === 0 && expression === undefined;
  if (takenAway && before.expression === null) {
    throw InvalidInput.field('trigger.inactivity', 'cannot be taken away by 0, as the trigger has no expression');
  }
  return accepted({
    expression: expression ?? before.expression,
    inactivity: takenAway ? null : inactivity || before.inactivity,
  });
}

function accepted(rule: TriggerRule): TriggerRule {
  const problem = ruleProblem(rule);
  if (problem) throw InvalidInput.field(`trigger.${problem.field}`, problem.why);
  return rule;
}
