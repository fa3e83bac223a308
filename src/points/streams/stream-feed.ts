import type { RowDataPacket } from 'mysql2/promise';
import type { ByteBudget } from '../../fairness/byte-budget';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { endOf, readChangesAfter, type SequencedChange, sequenceChanges } from './change-log';
import { FollowingReaders } from './following-readers';
import type { StreamEvent, StreamEvents } from './stream-events';
import { behindRound, formatCursor, isBehind, type StreamPosition } from './stream-position';
import type { StreamReader } from './stream-reader';
import type { StreamSignal } from './stream-signal';

const POLL_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** A quiet stream gets a cursor every ten minutes, so that its current one does not grow too old. */
const BEATS_PER_CURSOR = 40;
const ROWS_AT_ONCE = 100;
/** An item may have 64 KB. */
const ITEMS_AT_ONCE = 100;
const CATCHING_UP = 4;
const RETRY_MS = 1_000;

/**
 * Reads the log once for all readers of this process, after a signal or once a second. Readers that are slow or have
 * missed something read it separately.
 */
export class StreamFeed {
  /** Following readers have got everything up to here. */
  private position: StreamPosition = behindRound(0);
  /** A reader must have seen events up to here before it follows. */
  private deliveringUntil = this.position;
  private epoch = '';
  private readonly readers = new Set<StreamReader>();
  private readonly following = new FollowingReaders();
  private readonly gate = new FairSemaphore<number>({ atOnce: CATCHING_UP });
  private timers: NodeJS.Timeout[] = [];
  private current: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private isStopped = false;
  private beats = 0;

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly events: StreamEvents,
    private readonly signal: StreamSignal,
    readonly budget: ByteBudget,
    private readonly logger: Logger,
  ) {}

  get all(): ReadonlySet<StreamReader> {
    return this.readers;
  }

  get isClosed(): boolean {
    return this.isStopped;
  }

  /** Brings everything that was committed before the call. */
  async now(): Promise<{ epoch: string; position: StreamPosition; floorBatch: number }> {
    if (this.readers.size === 0) this.start();
    await this.round();
    const [[head]] = await this.database.pool.query<RowDataPacket[]>(
      'SELECT epoch, floor_batch AS floorBatch FROM stream_head WHERE id = 1',
    );
    this.epoch = String(head?.epoch);
    return { epoch: this.epoch, position: this.position, floorBatch: Number(head?.floorBatch) };
  }

  cursorAt(position: StreamPosition): string {
    return formatCursor(this.epoch, position);
  }

  /** Sends a reader everything after its position, until it is closed. */
  add(reader: StreamReader): void {
    this.readers.add(reader);
    this.start();
    reader.onClose(() => this.remove(reader));
    if (isBehind(this.deliveringUntil, reader.position)) void this.catchUp(reader);
    else this.following.add(reader);
  }

  /** Sends a reader the changes of more things from now on. They are being watched. */
  extend(reader: StreamReader, thingIds: readonly number[]): void {
    const isFollowing = this.following.has(reader);
    if (isFollowing) this.following.delete(reader);
    reader.extend(thingIds);
    if (isFollowing) this.following.add(reader);
  }

  stop(reason: string): void {
    this.isStopped = true;
    for (const reader of this.readers) reader.end(reason);
    this.pause();
  }

  private start(): void {
    if (this.timers.length > 0 || this.isStopped) return;
    this.signal.listen(() => this.poll());
    this.timers = [
      setInterval(() => this.poll(), POLL_MS).unref(),
      setInterval(() => this.keepAlive(), KEEP_ALIVE_MS).unref(),
    ];
  }

  private pause(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    this.signal.ignore();
  }

  private remove(reader: StreamReader): void {
    this.readers.delete(reader);
    this.following.delete(reader);
    if (this.readers.size === 0) this.pause();
  }

  private poll(): void {
    if (this.readers.size === 0) {
      this.pause();
      return;
    }
    this.round().catch((error: unknown) => this.logger.debug({ reason: String(error) }, 'streams could not look'));
  }

  private keepAlive(): void {
    this.beats += 1;
    const isNoted = this.beats % BEATS_PER_CURSOR === 0;
    for (const reader of this.readers) {
      const isFollowing = this.following.has(reader);
      reader.keepAlive(isNoted && isFollowing ? this.cursorAt(this.position) : undefined);
    }
  }

  /** Begins after the call. Calls during a round share the next one. */
  private round(): Promise<void> {
    this.next ??= (this.current ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.current = this.bring();
        return this.current;
      });
    return this.next;
  }

  private async bring(): Promise<void> {
    const latest = behindRound(await sequenceChanges(this.database.pool));
    while (!this.following.isEmpty) {
      const rows = await readChangesAfter(this.database.pool, this.position, ROWS_AT_ONCE);
      for (const some of inPages(rows, this.position)) await this.bringSome(some);
      if (rows.length < ROWS_AT_ONCE) break;
    }
    this.advance(latest);
  }

  private async bringSome(rows: readonly SequencedChange[]): Promise<void> {
    const last = rows.at(-1);
    if (!last) return;
    const end = endOf(last);
    const wanted = rows.filter(({ kind, thingId }) => this.following.of(kind, thingId).size > 0);
    if (wanted.length > 0) {
      this.deliveringUntil = end;
      this.hand(await this.events.read(wanted, this.epoch));
    }
    this.advance(end);
  }

  /** Readers that cannot take an event catch up from there. */
  private hand(events: Iterable<StreamEvent>): void {
    const touched = new Set<StreamReader>();
    const late: StreamReader[] = [];
    for (const event of events) {
      for (const reader of this.following.of(event.kind, event.thingId)) {
        touched.add(reader);
        if (reader.take(event)) continue;
        this.following.delete(reader);
        late.push(reader);
      }
    }
    for (const reader of touched) reader.flush();
    for (const reader of late) void this.catchUp(reader);
  }

  private advance(position: StreamPosition): void {
    if (isBehind(position, this.position)) this.position = position;
    if (isBehind(this.position, this.deliveringUntil)) this.deliveringUntil = this.position;
  }

  private async catchUp(reader: StreamReader): Promise<void> {
    while (!reader.isClosed && !this.isStopped) {
      try {
        await reader.drained();
        const leave = await this.gate.enter(reader.userId);
        const went = await this.readOn(reader).finally(leave);
        if (went === 'follows') return;
        if (went === 'on') continue;
      } catch (error) {
        this.logger.debug({ reason: String(error) }, 'a stream waits for MySQL');
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }

  /** After the last missed change the reader follows. Returns `stuck` if it could take nothing. */
  private async readOn(reader: StreamReader): Promise<'on' | 'follows' | 'stuck'> {
    const { deliveringUntil } = this;
    const rows = await readChangesAfter(this.database.pool, reader.position, ROWS_AT_ONCE, reader.topics);
    const [page = [], ...more] = inPages(rows, reader.position);
    const some = await this.events.first(page, reader.position);
    const before = reader.position;
    let isTaken = true;
    for (const event of await this.events.read(some, this.epoch)) {
      isTaken = reader.take(event);
      if (!isTaken) break;
    }
    reader.flush(isTaken ? some.map(endOf).at(-1) : undefined);
    if (!isTaken) return isBehind(reader.position, before) || reader.isSlow ? 'on' : 'stuck';
    const isWhole = some.length === page.length && some.at(-1)?.items.length === page.at(-1)?.items.length;
    const isAll =
      isWhole && more.length === 0 && rows.length < ROWS_AT_ONCE && !isBehind(this.deliveringUntil, deliveringUntil);
    if (isAll) this.following.add(reader);
    return isAll ? 'follows' : 'on';
  }
}

function inPages(rows: readonly SequencedChange[], from: StreamPosition): SequencedChange[][] {
  const pages: SequencedChange[][] = [];
  let items = ITEMS_AT_ONCE;
  for (const row of rows) {
    if (!isBehind(endOf(row), from)) continue;
    if (items + row.items.length > ITEMS_AT_ONCE) {
      pages.push([]);
      items = 0;
    }
    pages.at(-1)?.push(row);
    items += row.items.length;
  }
  return pages;
}
