import type { Transaction } from 'sequelize';
import type { Clock } from '../platform/clock';
import { partsOf } from '../platform/parts-of';
import type { Database } from '../storage';
import { ROWS_PER_STATEMENT } from '../storage/knobs';
import { slices } from '../storage/slices';
import { type RunSql, runIn } from '../storage/transaction';
import { readAudiences } from './event-audience';
import { EVENT_CATALOGUE, type EventName } from './event-catalogue';

/** Records events in the transactions that cause them. */
export class EventLog {
  constructor(
    private readonly database: Database,
    private readonly dispatch: { enqueueEventDispatch(userIds: readonly number[]): Promise<void> },
    private readonly clock: Clock,
  ) {}

  /**
   * Raise before a removal that revokes a right to see, and after a change that grants one. Dispatch is enqueued after
   * the commit.
   */
  async raise(transaction: Transaction, event: NewEvent | readonly NewEvent[]): Promise<void> {
    const run = runIn(this.database.sequelize, transaction);
    const userIds = await raiseEvents(run, [event].flat(), this.clock.now());
    if (userIds.length > 0) transaction.afterCommit(() => this.dispatch.enqueueEventDispatch(userIds));
  }
}

/** Maximum number of users per row. A larger audience takes several rows. */
const AUDIENCE_OF_A_ROW = 1_000;

export interface NewEvent {
  name: EventName;
  subjectId: number;
  sourceId?: number;
  /** The owner of the subject, or the user who acted on a shared one. */
  userId: number;
}

/**
 * Decides the audience now: raise *before* a removal that revokes a right to see, and *after* a change that grants one.
 * Skips events that no event notification asks for, at the cost of one index lookup. Returns the user who caused it for
 * each row that waits for dispatch.
 */
export async function raiseEvents(run: RunSql, events: readonly NewEvent[], nowMs: number): Promise<number[]> {
  const userIds: number[] = [];
  for (const [name, group] of byName(events)) {
    if (!(await hasListeners(run, name))) continue;
    for (const part of partsOf(group, ROWS_PER_STATEMENT)) {
      userIds.push(...(await raiseGroup(run, name, part, nowMs)));
    }
  }
  return userIds;
}

async function hasListeners(run: RunSql, name: EventName): Promise<boolean> {
  const rows = await run('SELECT 1 FROM event_notifications WHERE event = ? AND enabled = TRUE LIMIT 1', [name]);
  return rows.length > 0;
}

async function raiseGroup(run: RunSql, name: EventName, events: readonly NewEvent[], nowMs: number): Promise<number[]> {
  const placed = events.map((event) => ({ ...event, sourceId: sourceOf(event) }));
  const audiences = await readAudiences(run, name, placed);
  const rows = placed.flatMap(({ subjectId, sourceId, userId }, index) => {
    const parts = partsOf(audiences[index] ?? [], AUDIENCE_OF_A_ROW);
    return parts.map((audience) => [name, subjectId, sourceId, userId, JSON.stringify(audience), nowMs] as const);
  });
  for (const slice of slices(rows)) {
    await run('INSERT INTO events (name, subject_id, source_id, user_id, audience, created_ms) VALUES ?', [slice]);
  }
  return rows.map(([, , , userId]) => userId);
}

function sourceOf({ name, subjectId, sourceId }: NewEvent): number | null {
  const { subject, source } = EVENT_CATALOGUE[name];
  if (source === null) return null;
  return sourceId ?? (source === subject ? subjectId : null);
}

function byName(events: readonly NewEvent[]): Map<EventName, NewEvent[]> {
  const groups = new Map<EventName, NewEvent[]>();
  for (const event of events) {
    const group = groups.get(event.name);
    if (group) group.push(event);
    else groups.set(event.name, [event]);
  }
  return groups;
}
