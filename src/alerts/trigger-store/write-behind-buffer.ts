import type { PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../../points';
import { runOn } from '../../storage/transaction';
import type { StateChange } from '../rules/sensor-state';
import { encodeBuffer, flushBuffer, type LatestPoint } from './state-buffer';

export interface BufferLimits {
  /** A partition is buffered if no other process has run a pass or changed anything there for this long. */
  soleMs: number;
  /** Minimum of changed states in a pass. */
  states: number;
  /** A buffer is flushed at this many rows, or when its oldest row is `ageMs` old. */
  rows: number;
  ageMs: number;
  /** Buffering stops this long after a flush that saved hardly any write. */
  pauseMs: number;
}

const LIMITS: BufferLimits = { soleMs: 10_000, states: 16, rows: 16, ageMs: 1_000, pauseMs: 60_000 };
/** Longer values go to the state rows, so that a buffer row stays small. */
const MAX_VALUE_LENGTH = 256;

/** Buffering is worthwhile from this many writes per state and flush. */
const WORTH_IT = 1.5;

interface Known {
  version: number;
  /** Since then, this process has run every pass. */
  soleSinceMs: number;
  /** Rows in the buffer, and when the first was written. */
  rows: number;
  sinceMs: number;
}

/**
 * Under load, nearly all points change only the last value and date. One buffer row per pass and partition costs MySQL
 * a tenth of their own rows (decision 47). Correctness does not depend on this object: other processes read the buffer
 * before states.
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

  /** Call it after the commit. */
  keep({ known }: PassBuffer): void {
    for (const [partition, state] of known) this.known.set(partition, state);
  }

  /** True if a buffer is not empty, as far as this process knows. */
  get isOpen(): boolean {
    for (const { rows } of this.known.values()) if (rows > 0) return true;
    return false;
  }

  /**
   * Returns partitions without a pass since their buffer was due, and forgets them, so that their next pass flushes it.
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

export class PassBuffer {
  constructor(
    private readonly pass: PassEpochs,
    private readonly plan: Plan,
  ) {}

  get known(): ReadonlyMap<number, Known> {
    return this.plan.known;
  }

  async flushDue(connection: PoolConnection): Promise<void> {
    await this.flush(connection, [...this.plan.due]);
  }

  /** Call it before reading states from rows. */
  async flushFor(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
    const { known } = this.plan;
    const partitions = new Set(sensorIds.map((id) => id % this.pass.partitionCount));
    await this.flush(
      connection,
      [...partitions].filter((partition) => (known.get(partition)?.rows ?? 0) > 0),
    );
  }

  /** Pipelines buffer rows. Returns changes that cannot be buffered. */
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
    const sql = 'INSERT INTO write_behind_buffer (partition_no, partition_count, content) VALUES ?';
    return { rest, written: rows.length === 0 ? Promise.resolve() : connection.query(sql, [rows]) };
  }

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
