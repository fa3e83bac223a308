import { randomInt } from 'node:crypto';
import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';

/** How long a dead or paused worker keeps others from its task. Every step renews the lease. */
const LEASE_MS = 30_000;

/**
 * A row per task with its position and its lease, taken by a conditional `UPDATE`: valid on every node of a cluster and
 * after a restart.
 */
export class MaintenanceCursors {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Undefined while another worker holds the lease. */
  async take(task: string): Promise<MaintenanceLease | undefined> {
    const nowMs = this.clock.now();
    const token = randomInt(2 ** 47);
    if (
      !(await this.acquire(task, token, nowMs)) &&
      !((await this.isNew(task)) && (await this.acquire(task, token, nowMs)))
    ) {
      return undefined;
    }
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT position FROM maintenance_cursors WHERE name = ? AND lease = ?',
      [task, token],
    );
    return rows[0] && new MaintenanceLease(this.pool, this.clock, { task, token, position: Number(rows[0].position) });
  }

  private async acquire(task: string, token: number, nowMs: number): Promise<boolean> {
    const [taken] = await this.pool.query<ResultSetHeader>(
      'UPDATE maintenance_cursors SET lease = ?, lease_until_ms = ? WHERE name = ? AND lease_until_ms < ?',
      [token, nowMs + LEASE_MS, task, nowMs],
    );
    return taken.affectedRows > 0;
  }

  private async isNew(task: string): Promise<boolean> {
    const [added] = await this.pool.query<ResultSetHeader>('INSERT IGNORE INTO maintenance_cursors (name) VALUES (?)', [
      task,
    ]);
    return added.affectedRows > 0;
  }
}

/** The right to do a task, from where the last worker stopped. */
export class MaintenanceLease {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly held: { task: string; token: number; position: number },
  ) {}

  get position(): number {
    return this.held.position;
  }

  /** Renews the lease. Returns false if another worker has taken it. */
  async advance(position: number): Promise<boolean> {
    this.held.position = position;
    return this.update(this.clock.now() + LEASE_MS);
  }

  /** Stored by `release`. */
  endAt(position: number): void {
    this.held.position = position;
  }

  async release(): Promise<void> {
    await this.update(0);
  }

  private async update(untilMs: number): Promise<boolean> {
    const { task, token, position } = this.held;
    const [updated] = await this.pool.query<ResultSetHeader>(
      'UPDATE maintenance_cursors SET position = ?, lease_until_ms = ? WHERE name = ? AND lease = ?',
      [position, untilMs, task, token],
    );
    return updated.affectedRows === 1;
  }
}
