import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { isPermanent } from '../storage/mysql-errors';
import type { Removal } from '../storage/removal';
import type { PurgeStep, PurgeTask, Slice } from './purge-task';

/** `decisions`: of a sensor's deleted sensor triggers. */
export type DeletedKind = 'sensor' | 'trigger' | 'user' | 'decisions';

export type Remover = (thingId: number) => Promise<Removal>;

const WAIT_MS = 10_000;
const FAILED_MS = 600_000;
/**
 * A transaction that was running when an account was closed may still write deliveries; none takes longer. Writers lock
 * sensors and triggers, which need no such time.
 */
const LINGER_MS = 300_000;
/** Limit of a step, which handles one owner. */
const ENTRIES_PER_STEP = 50;
const ROWS_PER_STEP = 2_000;

interface Entry extends RowDataPacket {
  id: number;
  kind: DeletedKind;
  thingId: number;
  createdMs: number;
}

/** Round-robin between former owners: no account delays others. The position is the first owner who may be next. */
export class DeletedThings implements PurgeTask {
  readonly name: string;
  readonly kind = 'deleted-things';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly removers: Readonly<Record<DeletedKind, Remover>>,
    private readonly logger: Logger,
    private readonly slice: Slice,
  ) {
    this.name = `${this.kind}-${slice.number}-of-${slice.of}`;
  }

  async isIdle(): Promise<boolean> {
    const [waiting] = await this.pool.query<RowDataPacket[]>(
      'SELECT id FROM purge_queue WHERE MOD(id, ?) = ? AND retry_at_ms <= ? LIMIT 1',
      [this.slice.of, this.slice.number, this.clock.now()],
    );
    return waiting.length === 0;
  }

  async step(position: number): Promise<PurgeStep> {
    const ownerId = await this.nextOwner(position);
    if (ownerId === undefined) return { deleted: 0, position: 0, isDone: position === 0 };
    let deleted = 0;
    for (const entry of await this.entriesOf(ownerId)) {
      deleted += await this.remove(entry);
      // The removal of an account takes up to a second.
      if (deleted >= ROWS_PER_STEP || entry.kind === 'user') break;
    }
    return { deleted, position: ownerId + 1, isDone: false };
  }

  /** Searches from this id on. */
  private async nextOwner(from: number): Promise<number | undefined> {
    const [[next]] = await this.pool.query<RowDataPacket[]>(
      `SELECT owner_id AS ownerId FROM purge_queue
       WHERE owner_id >= ? AND MOD(id, ?) = ? AND retry_at_ms <= ? ORDER BY owner_id LIMIT 1`,
      [from, this.slice.of, this.slice.number, this.clock.now()],
    );
    return next && Number(next.ownerId);
  }

  private async entriesOf(ownerId: number): Promise<Entry[]> {
    const [entries] = await this.pool.query<Entry[]>(
      `SELECT id, kind, thing_id AS thingId, created_ms AS createdMs FROM purge_queue
       WHERE owner_id = ? AND MOD(id, ?) = ? AND retry_at_ms <= ? ORDER BY retry_at_ms, id LIMIT ?`,
      [ownerId, this.slice.of, this.slice.number, this.clock.now(), ENTRIES_PER_STEP],
    );
    return entries;
  }

  private async remove(entry: Entry): Promise<number> {
    const { id, kind, thingId } = entry;
    try {
      const { deleted, outcome } = await this.removers[kind](thingId);
      if (outcome === 'done') await this.finish(entry);
      if (outcome === 'wait') await this.retryAt(id, this.clock.now() + WAIT_MS);
      return deleted;
    } catch (error) {
      if (!isPermanent(error)) throw error;
      this.logger.error(
        { kind, thingId, err: error },
        'the history of a deleted thing cannot be deleted; it is tried again later',
      );
      await this.retryAt(id, this.clock.now() + FAILED_MS);
      return 0;
    }
  }

  private async finish({ id, kind, createdMs }: Entry): Promise<void> {
    const lingersUntilMs = kind === 'user' ? createdMs + LINGER_MS : 0;
    if (this.clock.now() < lingersUntilMs) return this.retryAt(id, lingersUntilMs);
    await this.pool.query('DELETE FROM purge_queue WHERE id = ?', [id]);
  }

  private async retryAt(id: number, retryAtMs: number): Promise<void> {
    await this.pool.query('UPDATE purge_queue SET retry_at_ms = ? WHERE id = ?', [retryAtMs, id]);
  }
}
