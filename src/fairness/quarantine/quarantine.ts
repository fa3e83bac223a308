import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { WORK_KINDS, type WorkKind, type WorkOwners } from './work-kind';

/** Doubles with each further death, up to an hour. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Measured from the last death. */
const KEPT_MS = 86_400_000;
/** A process reads the newest rows. */
const MOST_ROWS = 10_000;

export interface QuarantinedWork {
  kind: WorkKind;
  /** A user, delivery, event, service or sensor, by kind. */
  thingId: number;
  ownerId: number | null;
  deaths: number;
  pausedUntilMs: number;
  sinceMs: number;
  expiresMs: number;
  reason: string;
}

/** Rows that every process reads every two seconds. Looking work up costs no statement. */
export class Quarantine {
  private rows: ReadonlyMap<string, QuarantinedWork> = new Map();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly owners: WorkOwners,
  ) {}

  async refresh(): Promise<void> {
    const rows = await this.read();
    this.rows = new Map(rows.map((row) => [keyOf(row.kind, row.thingId), row]));
  }

  /** The latest first. */
  async read(most = MOST_ROWS): Promise<QuarantinedWork[]> {
    const [rows] = await this.pool.query<(RowDataPacket & QuarantinedWork)[]>(
      `SELECT kind, thing_id AS thingId, owner_id AS ownerId, deaths, paused_until_ms AS pausedUntilMs,
              since_ms AS sinceMs, expires_ms AS expiresMs, reason
       FROM quarantine WHERE expires_ms > ? ORDER BY expires_ms DESC LIMIT ?`,
      [this.clock.now(), most],
    );
    return rows.map((row) => ({ ...row, thingId: Number(row.thingId) }));
  }

  find(kind: WorkKind, thingId: number): QuarantinedWork | undefined {
    if (this.rows.size === 0) return undefined;
    const row = this.rows.get(keyOf(kind, thingId));
    return row && row.expiresMs > this.clock.now() ? row : undefined;
  }

  /** Empty, as a rule. */
  idsOf(kind: WorkKind): number[] {
    const ids: number[] = [];
    for (const row of this.rows.values()) if (row.kind === kind && this.find(kind, row.thingId)) ids.push(row.thingId);
    return ids;
  }

  async add(kind: WorkKind, thingId: number, reason: string): Promise<void> {
    const nowMs = this.clock.now();
    const row = [
      kind,
      thingId,
      await this.ownerOf(kind, thingId),
      1,
      nowMs + FIRST_PAUSE_MS,
      nowMs,
      nowMs + KEPT_MS,
      reason,
    ];
    await this.pool.query(
      `INSERT INTO quarantine (kind, thing_id, owner_id, deaths, paused_until_ms, since_ms, expires_ms, reason) VALUES (?)
       ON DUPLICATE KEY UPDATE paused_until_ms = ? + LEAST(?, ? * POW(2, LEAST(deaths, 20))), deaths = deaths + 1,
         expires_ms = VALUES(expires_ms), reason = VALUES(reason)`,
      [row, nowMs, LONGEST_PAUSE_MS, FIRST_PAUSE_MS],
    );
    await this.refresh();
  }

  private async ownerOf(kind: WorkKind, thingId: number): Promise<number | null> {
    const sql = this.owners[kind];
    if (sql === undefined) return WORK_KINDS[kind] === 'user' ? thingId : null;
    const [[owner]] = await this.pool.query<RowDataPacket[]>(sql, [thingId]);
    return owner?.ownerId ?? null;
  }

  /** False if the work was not set aside. */
  async release(kind: string, thingId: number): Promise<boolean> {
    const sql = 'DELETE FROM quarantine WHERE kind = ? AND thing_id = ?';
    const [result] = await this.pool.query(sql, [kind, thingId]);
    await this.refresh();
    return 'affectedRows' in result && result.affectedRows > 0;
  }
}

function keyOf(kind: WorkKind, thingId: number): string {
  return `${kind} ${thingId}`;
}
