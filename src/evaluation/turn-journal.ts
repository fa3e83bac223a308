import type { PoolConnection } from 'mysql2/promise';
import type { TurnVersions } from '../inbox/partition-layout';
import { encodeJournal, foldJournal, type LatestPoint } from '../storage/state-journal';
import { runOn } from '../storage/transaction';
import type { StateChange } from './actors/sensor.state';

/** When what sensor triggers remember is journaled, and when the journal is folded into their rows. */
export interface JournalLimits {
  /** A partition is journaled when nobody else has taken a turn or changed anything there for so long. */
  soleMs: number;
  /** Of turns that change at least so many of its states. */
  states: number;
  /** It is folded once it has so many rows, or its oldest is so old. */
  rows: number;
  ageMs: number;
  /** When hardly any state was written more than once in the meantime, it is not journaled for so long. */
  pauseMs: number;
}

const LIMITS: JournalLimits = { soleMs: 10_000, states: 16, rows: 16, ageMs: 1_000, pauseMs: 60_000 };
/** Longer ones are written into the rows: a row of the journal stays small. */
const MAX_VALUE_LENGTH = 256;

/** So often at least a state has to be written between two foldings, on average. */
const WORTH_IT = 1.5;

/** What this process knows of the journal of a partition after its latest turn. */
interface Known {
  version: number;
  /** From when on it has taken every turn. */
  soleSinceMs: number;
  /** Of the journal, and when the first of them was written. */
  rows: number;
  sinceMs: number;
}

/**
 * Decides which states a worker journals. Under load nearly all points change only the last value and date of their sensor triggers; a
 * row of the journal for each turn and partition costs MySQL a tenth of writing these into a row each (decision 47). Nothing depends on
 * what is known here: another process reads the journal before it reads states.
 */
export class StateJournal {
  private readonly known = new Map<number, Known>();

  constructor(private readonly limits: JournalLimits = LIMITS) {}

  /** For a turn that has just raised its partitions to these versions. */
  begin(turn: TurnVersions, nowMs: number): TurnJournal {
    const known = new Map<number, Known>();
    const due = new Set<number>();
    for (const [partition, version] of turn.versions) {
      const before = this.known.get(partition);
      const isSole = before?.version === version - 1;
      if (!isSole || isDue(before, this.limits, nowMs)) due.add(partition);
      known.set(partition, isSole ? { ...before, version } : { version, soleSinceMs: nowMs, rows: 0, sinceMs: nowMs });
    }
    return new TurnJournal(turn, { known, due, limits: this.limits, nowMs });
  }

  /** After the commit of that turn. */
  keep({ known }: TurnJournal): void {
    for (const [partition, state] of known) this.known.set(partition, state);
  }

  /** Whether any partition's journal is not empty, as far as this process knows. */
  get isOpen(): boolean {
    for (const { rows } of this.known.values()) if (rows > 0) return true;
    return false;
  }

  /** The partitions that have had no turn since their journal was due. They are forgotten, so that their next turn folds it. */
  takeOverdue(nowMs: number): number[] {
    const overdue = [...this.known].filter(([, { rows, sinceMs }]) => rows > 0 && nowMs - sinceMs > this.overdueMs);
    for (const [partition] of overdue) this.known.delete(partition);
    return overdue.map(([partition]) => partition);
  }

  get overdueMs(): number {
    return 2 * this.limits.ageMs;
  }
}

function isDue({ rows, sinceMs }: Known, limits: JournalLimits, nowMs: number): boolean {
  return rows > 0 && (rows >= limits.rows || nowMs - sinceMs >= limits.ageMs);
}

interface Plan {
  known: Map<number, Known>;
  due: Set<number>;
  limits: JournalLimits;
  nowMs: number;
}

/** The journal of one turn's partitions, which are locked. */
export class TurnJournal {
  constructor(
    private readonly turn: TurnVersions,
    private readonly plan: Plan,
  ) {}

  get known(): ReadonlyMap<number, Known> {
    return this.plan.known;
  }

  /** Folds the journal of partitions where it is due, or may have been written by another process. */
  async foldDue(connection: PoolConnection): Promise<void> {
    await this.fold(connection, [...this.plan.due]);
  }

  /** Before the states of sensors are read from their rows. */
  async foldFor(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
    const { known } = this.plan;
    const partitions = new Set(sensorIds.map((id) => id % this.turn.partitionCount));
    await this.fold(
      connection,
      [...partitions].filter((partition) => (known.get(partition)?.rows ?? 0) > 0),
    );
  }

  /** Issues rows of the journal for those of the changes that belong there, and returns the others. */
  write(
    connection: PoolConnection,
    changes: readonly StateChange[],
  ): { rest: StateChange[]; written: Promise<unknown> } {
    const rest: StateChange[] = [];
    const byPartition = new Map<number, StateChange[]>();
    for (const change of changes) {
      const partition = change.sensorId % this.turn.partitionCount;
      const kept = byPartition.get(partition);
      if (!this.isSole(partition) || (change.state.lastValue?.length ?? 0) > MAX_VALUE_LENGTH) rest.push(change);
      else if (kept) kept.push(change);
      else byPartition.set(partition, [change]);
    }
    const rows: unknown[][] = [];
    for (const [partition, kept] of byPartition) {
      const known = this.plan.known.get(partition);
      if (known && kept.length >= this.plan.limits.states) {
        rows.push([partition, this.turn.partitionCount, encodeJournal(latestOf(kept))]);
        if (known.rows === 0) known.sinceMs = this.plan.nowMs;
        known.rows += 1;
      } else for (const change of kept) rest.push(change);
    }
    const sql = 'INSERT INTO state_journal (partition_no, partition_count, content) VALUES ?';
    return { rest, written: rows.length === 0 ? Promise.resolve() : connection.query(sql, [rows]) };
  }

  private isSole(partition: number): boolean {
    const known = this.plan.known.get(partition);
    return known !== undefined && this.plan.nowMs - known.soleSinceMs >= this.plan.limits.soleMs;
  }

  private async fold(connection: PoolConnection, partitions: readonly number[]): Promise<void> {
    if (partitions.length === 0) return;
    const { nowMs, limits, known } = this.plan;
    const { partitionCount } = this.turn;
    const { states, sensorTriggers } = await foldJournal(runOn(connection), { partitions, partitionCount });
    const isWorthIt = states === 0 || states > WORTH_IT * sensorTriggers;
    for (const partition of partitions) {
      const one = known.get(partition);
      if (!one) continue;
      one.rows = 0;
      if (!isWorthIt) one.soleSinceMs = Math.max(one.soleSinceMs, nowMs + limits.pauseMs - limits.soleMs);
    }
  }
}

function latestOf(changes: readonly StateChange[]): LatestPoint[] {
  const latest: LatestPoint[] = [];
  for (const { sensorTriggerId, state } of changes) {
    const { lastDateMs: dateMs, lastValue: value } = state;
    if (dateMs !== null && value !== null) latest.push({ sensorTriggerId, dateMs, value });
  }
  return latest;
}
