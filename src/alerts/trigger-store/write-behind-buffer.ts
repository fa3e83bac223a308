import type { PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../../points';
import { runOn } from '../../storage/transaction';
import type { StateChange } from '../rules/sensor-state';
import { encodeBuffer, flushBuffer, type LatestPoint } from './state-buffer';

/** When states go to the write-behind buffer, and when the buffer is flushed into their rows. */
export interface BufferLimits {
  /** A partition is buffered if no other process has run a pass or changed anything there for this long. */
  soleMs: number;
  /** Minimum number of changed states in a pass for buffering. */
  states: number;
  /** The buffer of a partition is flushed once it has this many rows or its oldest row is `ageMs` old. */
  rows: number;
  ageMs: number;
  /** How long buffering stops after a flush in which hardly any state had been written more than once. */
  pauseMs: number;
}

const LIMITS: BufferLimits = { soleMs: 10_000, states: 16, rows: 16, ageMs: 1_000, pauseMs: 60_000 };
/** Longer values are written directly into the state rows, so that a buffer row stays small. */
const MAX_VALUE_LENGTH = 256;

/** Minimum average number of writes per state between two flushes that makes buffering worthwhile. */
const WORTH_IT = 1.5;

/** The buffer of a partition as known to this process after its latest pass. */
interface Known {
  version: number;
  /** Since when this process has run every pass. */
  soleSinceMs: number;
  /** Number of rows in the buffer, and when the first of them was written. */
  rows: number;
  sinceMs: number;
}

/**
 * Decides which states a worker buffers. Under load, nearly all points change only the last value and date of their
 * sensor triggers. One buffer row for each pass and partition costs MySQL a tenth of writing each of these into its own
 * row (decision 47). Correctness does not depend on this object: another process reads the buffer before it reads
 * states.
 */
export class WriteBehindBuffer {
  private readonly known = new Map<number, Known>();

  constructor(private readonly limits: BufferLimits = LIMITS) {}

  /** For a pass that has just bumped its partitions to these epochs. */
  begin(pass: PassEpochs, nowMs: number): PassBuffer {
    const known = new Map<number, Known>();
    const due = new Set<number>();
    for (const [partition, version] of pass.versions) {
      const before = this.known.get(partition);
      const isSole = before?.version === version - 1;
      if (!isSole || isDue(before, this.limits, nowMs)) due.add(partition);
      known.set(partition, isSole ? { ...before, version } : { version, soleSinceMs: nowMs, rows: 0, sinceMs: nowMs });
    }
    return new PassBuffer(pass, { known, due, limits: this.limits, nowMs });
  }

  /** Call after the commit of that pass. */
  keep({ known }: PassBuffer): void {
    for (const [partition, state] of known) this.known.set(partition, state);
  }

  /** True if the buffer of any partition is not empty, as far as this process knows. */
  get isOpen(): boolean {
    for (const { rows } of this.known.values()) if (rows > 0) return true;
    return false;
  }

  /**
   * Partitions that have had no pass since their buffer was due. They are dropped from this object, so that their next
   * pass flushes the buffer.
   */
  takeOverdue(nowMs: number): number[] {
    const overdue = [...this.known].filter(([, { rows, sinceMs }]) => rows > 0 && nowMs - sinceMs > this.overdueMs);
    for (const [partition] of overdue) this.known.delete(partition);
    return overdue.map(([partition]) => partition);
  }

  get overdueMs(): number {
    return 2 * this.limits.ageMs;
  }
}

function isDue({ rows, sinceMs }: Known, limits: BufferLimits, nowMs: number): boolean {
  return rows > 0 && (rows >= limits.rows || nowMs - sinceMs >= limits.ageMs);
}

interface Plan {
  known: Map<number, Known>;
  due: Set<number>;
  limits: BufferLimits;
  nowMs: number;
}

/** The buffers of the partitions of one pass, which are locked. */
export class PassBuffer {
  constructor(
    private readonly pass: PassEpochs,
    private readonly plan: Plan,
  ) {}

  get known(): ReadonlyMap<number, Known> {
    return this.plan.known;
  }

  /** Flushes the buffers that are due or may have been written by another process. */
  async flushDue(connection: PoolConnection): Promise<void> {
    await this.flush(connection, [...this.plan.due]);
  }

  /** Call before reading the states of these sensors from their rows. */
  async flushFor(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
    const { known } = this.plan;
    const partitions = new Set(sensorIds.map((id) => id % this.pass.partitionCount));
    await this.flush(
      connection,
      [...partitions].filter((partition) => (known.get(partition)?.rows ?? 0) > 0),
    );
  }

  /** Pipelines buffer rows for the changes that can be buffered. Returns the other changes. */
  write(
    connection: PoolConnection,
    changes: readonly StateChange[],
  ): { rest: StateChange[]; written: Promise<unknown> } {
    const { rest, byPartition } = this.separate(changes);
    const rows: unknown[][] = [];
    for (const [partition, kept] of byPartition) {
      const known = this.plan.known.get(partition);
      if (known && kept.length >= this.plan.limits.states) {
        rows.push([partition, this.pass.partitionCount, encodeBuffer(latestOf(kept))]);
        if (known.rows === 0) known.sinceMs = this.plan.nowMs;
        known.rows += 1;
      } else for (const change of kept) rest.push(change);
    }
    const sql = 'INSERT INTO state_journal (partition_no, partition_count, content) VALUES ?';
    return { rest, written: rows.length === 0 ? Promise.resolve() : connection.query(sql, [rows]) };
  }

  /** Groups the changes that can be buffered by partition; `rest` has the others. */
  private separate(changes: readonly StateChange[]) {
    const rest: StateChange[] = [];
    const byPartition = new Map<number, StateChange[]>();
    for (const change of changes) {
      const partition = change.sensorId % this.pass.partitionCount;
      const kept = byPartition.get(partition);
      if (!this.isSole(partition) || (change.state.lastValue?.length ?? 0) > MAX_VALUE_LENGTH) rest.push(change);
      else if (kept) kept.push(change);
      else byPartition.set(partition, [change]);
    }
    return { rest, byPartition };
  }

  private isSole(partition: number): boolean {
    const known = this.plan.known.get(partition);
    return known !== undefined && this.plan.nowMs - known.soleSinceMs >= this.plan.limits.soleMs;
  }

  private async flush(connection: PoolConnection, partitions: readonly number[]): Promise<void> {
    if (partitions.length === 0) return;
    const { nowMs, limits, known } = this.plan;
    const { partitionCount } = this.pass;
    const { states, sensorTriggers } = await flushBuffer(runOn(connection), { partitions, partitionCount });
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
