import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { TransactionConnection } from '../../storage/pipeline';
import { inPoolTransaction } from '../../storage/transaction';
import type { Description } from '../protocols/mqtt';
import type { DecoderName } from './decoder-names';
import type { RetainedChoice } from './retained-choice';
import { readDescriptions, writeDescriptions } from './source-descriptions';
import { WAITS_FOR_PLACE } from './waiting-sources';

export const LEASE_MS = 10_000;
const MAX_ERROR = 500;
/** The account `u` is neither closed nor disabled. */
const IS_USABLE = 'u.closed_ms IS NULL AND u.disabled_ms IS NULL';

export interface HeldSource {
  id: number;
  ownerId: number;
  revision: number;
  isConnected: boolean;
}

/** Another worker has the source, or its owner has changed or deleted it. */
export class LeaseLost extends Error {}

export interface LeasedSource {
  id: number;
  ownerId: number;
  url: string;
  username: string;
  sealedPassword: string | null;
  topics: string[];
  decoder: DecoderName;
  clientId: string;
  protocolVersion: 4 | 5;
  caCertificate: string | null;
  createLimit: number;
  retained: RetainedChoice;
  revision: number;
  /** The session's filters at the broker; null without a session. */
  subscribed: string[] | null;
  unconfirmed: string | null;
  descriptions: Description[];
  /** Failed connections since the last stable one. */
  failures: number;
}

export type MessageCount = 'unreadable' | 'refused' | 'unchanged' | 'repeated' | 'ignored' | 'incomplete';

export interface WorkerChange {
  state?: 'connecting' | 'connected' | 'failed';
  lastError?: string;
  /** Further messages, by column. */
  counts?: Partial<Record<MessageCount, number>>;
  kept?: number;
  subscribed?: string[] | null;
  unconfirmed?: string | null;
  lastMessageMs?: number;
  /** Gives the lease back until the next try. */
  giveBack?: { failures: number; nextTryMs: number };
}

/** Every change checks lease and revision. */
export class SourceLeases {
  constructor(
    private readonly pool: Pool,
    /** No other process has this name. */
    private readonly worker: string,
  ) {}

  /** Leases those that no worker has and that may be connected by `triedMs`. */
  async take(ids: readonly number[], nowMs: number, triedMs = nowMs): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query(
      `UPDATE mqtt_sources SET leased_by = ?, leased_until_ms = ?, last_error = IF(last_error = ?, '', last_error)
       WHERE id IN (?) AND enabled AND leased_until_ms < ? AND next_try_ms <= ?`,
      [this.worker, nowMs + LEASE_MS, WAITS_FOR_PLACE, ids, nowMs, triedMs],
    );
  }

  /** Ends the leases of a lone process that has died. */
  async endLeases(ids: readonly number[], nextTryMs: number): Promise<void> {
    const sql = 'UPDATE mqtt_sources SET leased_by = NULL, leased_until_ms = 0, next_try_ms = ? WHERE id IN (?)';
    await this.pool.query(sql, [nextTryMs, ids]);
  }

  /** Plans the next try of those of these sources that no worker has. */
  async planTry(ids: readonly number[], nextTryMs: number): Promise<void> {
    const sql = 'UPDATE mqtt_sources SET next_try_ms = ? WHERE id IN (?) AND leased_by IS NULL';
    await this.pool.query(sql, [nextTryMs, ids]);
  }

  /** Shows why a source has failed that no worker has, and plans its next try. */
  async fail(id: number, reason: string, nextTryMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE mqtt_sources SET next_try_ms = ?, state = 'failed', last_error = ? WHERE id = ? AND leased_by IS NULL`,
      [nextTryMs, reason.slice(0, MAX_ERROR), id],
    );
  }

  /** Lost leases stay lost. */
  async renew(ids: readonly number[], nowMs: number): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query('UPDATE mqtt_sources SET leased_until_ms = ? WHERE id IN (?) AND leased_by = ? AND enabled', [
      nowMs + LEASE_MS,
      ids,
      this.worker,
    ]);
  }

  /** Enabled sources of this worker. */
  async held(nowMs: number): Promise<HeldSource[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT s.id, s.owner_id AS ownerId, s.revision, s.state = 'connected' AS isConnected
       FROM mqtt_sources s JOIN users u ON u.id = s.owner_id AND ${IS_USABLE}
       WHERE s.leased_by = ? AND s.enabled AND s.leased_until_ms >= ?`,
      [this.worker, nowMs],
    );
    return rows.map(({ id, ownerId, revision, isConnected }) => ({
      ...{ id: Number(id), ownerId: Number(ownerId), revision: Number(revision), isConnected: Boolean(isConnected) },
    }));
  }

  /** These sources come first among those of their owners. */
  async release(ids: readonly number[], nowMs: number): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query(
      `UPDATE mqtt_sources SET leased_by = NULL, leased_until_ms = ?, state = 'connecting'
       WHERE id IN (?) AND leased_by = ?`,
      [nowMs - 1, ids, this.worker],
    );
  }

  /** Gives the place to another owner. */
  async yieldPlace(id: number, nowMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE mqtt_sources SET leased_by = NULL, leased_until_ms = 0, next_try_ms = ?, state = 'connecting', last_error = ?
       WHERE id = ? AND leased_by = ?`,
      [nowMs, WAITS_FOR_PLACE, id, this.worker],
    );
  }

  /** Waits for the end of a transaction whose connection was lost. Throws LeaseLost. */
  async read(id: number): Promise<LeasedSource> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT id, owner_id AS ownerId, url, username, password AS sealedPassword, topics, decoder,
         client_id AS clientId, protocol_version AS protocolVersion, ca_certificate AS caCertificate,
         create_limit AS createLimit, retained, revision, subscribed, unconfirmed, failures
       FROM mqtt_sources WHERE id = ? AND leased_by = ? AND enabled FOR UPDATE`,
      [id, this.worker],
    );
    const [row] = rows;
    if (!row) throw new LeaseLost();
    const subscribed = row.subscribed === null ? null : JSON.parse(row.subscribed);
    const descriptions = await readDescriptions(this.pool, id);
    return { ...(row as LeasedSource), topics: JSON.parse(row.topics), subscribed, descriptions }; // the columns of this statement
  }

  /** Throws LeaseLost. */
  async lockUnconfirmed(
    { id, revision }: Pick<LeasedSource, 'id' | 'revision'>,
    connection: Pick<PoolConnection, 'query'>,
  ): Promise<string | null> {
    const [rows] = await connection.query<(RowDataPacket & { unconfirmed: string | null })[]>(
      'SELECT unconfirmed FROM mqtt_sources WHERE id = ? AND leased_by = ? AND revision = ? FOR UPDATE',
      [id, this.worker, revision],
    );
    const [row] = rows;
    if (!row) throw new LeaseLost();
    return row.unconfirmed;
  }

  async exists(id: number): Promise<boolean> {
    const sql = `SELECT s.id FROM mqtt_sources s JOIN users u ON u.id = s.owner_id AND ${IS_USABLE} WHERE s.id = ?`;
    const [rows] = await this.pool.query<RowDataPacket[]>(sql, [id]);
    return rows.length > 0;
  }

  /** Alone or in a connection's transaction. Throws LeaseLost, and then nothing was written. */
  async write(
    { id, revision }: Pick<LeasedSource, 'id' | 'revision'>,
    change: WorkerChange,
    connection: Pick<Pool | PoolConnection, 'query'> = this.pool,
  ): Promise<void> {
    const { subscribed, counts = {}, lastError, giveBack, ...plain } = change;
    const columns: Record<string, unknown> = {
      state: plain.state,
      kept: plain.kept,
      unconfirmed: plain.unconfirmed,
      last_message_ms: plain.lastMessageMs,
      last_error: lastError?.slice(0, MAX_ERROR),
      subscribed: subscribed && JSON.stringify(subscribed),
      ...(giveBack && { failures: giveBack.failures, next_try_ms: giveBack.nextTryMs }),
      ...(giveBack && { leased_by: null, leased_until_ms: 0 }),
    };
    const set = Object.entries(columns).filter(([, value]) => value !== undefined);
    const added = Object.entries(counts).filter(([, number]) => number > 0);
    const changes = [...added.map(([name]) => `${name} = ${name} + ?`), ...set.map(([name]) => `${name} = ?`)];
    const [written] = await connection.query<ResultSetHeader>(
      `UPDATE mqtt_sources SET ${changes.join(', ') || 'id = id'}
       WHERE id = ? AND leased_by = ? AND revision = ? AND enabled`,
      [...[...added, ...set].map(([, value]) => value), id, this.worker, revision],
    );
    if (written.affectedRows === 0) throw new LeaseLost();
  }

  /** After `before`. Throws LeaseLost, and then nothing was written. */
  async describe(
    source: Pick<LeasedSource, 'id' | 'revision'>,
    changed: readonly Description[],
    before: (connection: TransactionConnection) => Promise<void>,
  ): Promise<void> {
    await inPoolTransaction(this.pool, async (connection) => {
      await before(connection);
      await this.write(source, {}, connection);
      await writeDescriptions(connection, source.id, changed);
    });
  }
}
