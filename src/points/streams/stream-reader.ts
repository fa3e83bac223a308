import type { ServerResponse } from 'node:http';
import type { SeenTriggers } from '../../access/alert-access';
import type { ByteBudget } from '../../fairness/byte-budget';
import type { StreamEvent } from './stream-events';
import { isBehind, type StreamPosition } from './stream-position';
import type { Topics } from './topics';

/** A reader with more unsent bytes is slow: it reads the log at its own pace. */
const SLOW_BYTES = 64 * 1024;
/** A reader that takes nothing for this long is disconnected. It can resume with its cursor. */
const STALLED_MS = 30_000;

export interface ReadTopics {
  topics: Topics;
  seen: SeenTriggers;
}

/** One response. Its unsent data is at most `SLOW_BYTES` and one event, charged to its user. */
export class StreamReader {
  /** Everything up to here has been written. */
  position: StreamPosition;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private held = 0;
  private watched: Topics;
  /** Triggers of others whose firings it gets. */
  private seen: SeenTriggers;

  constructor(
    readonly userId: number,
    { topics, seen }: ReadTopics,
    position: StreamPosition,
    private readonly response: ServerResponse,
    private readonly budget: ByteBudget,
  ) {
    this.position = position;
    this.watched = topics;
    this.seen = seen;
    response.on('drain', () => this.release());
    this.onClose(() => this.release());
  }

  get topics(): Topics {
    return this.watched;
  }

  /** Call it only while the reader follows nothing. */
  extend(thingIds: readonly number[]): void {
    const { kind } = this.watched;
    this.watched = { kind, thingIds: [...this.watched.thingIds, ...thingIds] };
  }

  /** From now on, it gets firings of these triggers of others. */
  see(seen: SeenTriggers): void {
    this.seen = seen;
  }

  get isClosed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  get isSlow(): boolean {
    return this.response.writableLength + this.waitingBytes > SLOW_BYTES;
  }

  /**
   * Skips an event that was taken before; `flush` writes. Returns false if the client is slow or its user holds too
   * much: this event and later ones must wait.
   */
  take(event: StreamEvent): boolean {
    const { position } = event;
    if (!isBehind(position, this.position)) return true;
    if (this.isSlow) return false;
    if (!this.sees(event)) {
      this.position = position;
      return true;
    }
    const text = event.textFor(event.thingId === this.userId);
    if (!this.budget.hasRoom(this.userId, this.waitingBytes + text.length)) return false;
    this.waiting.push(text);
    this.waitingBytes += text.length;
    this.position = position;
    return true;
  }

  /** Writes taken events. Everything up to `end` has been handled. */
  flush(end = this.position): void {
    if (isBehind(end, this.position)) this.position = end;
    const [only] = this.waiting;
    // Small events cost less together; all readers share a large one.
    if (this.waiting.length === 1 && only) this.write(only);
    else if (this.waitingBytes <= SLOW_BYTES) this.write(Buffer.concat(this.waiting));
    else for (const text of this.waiting) this.write(text);
    this.waiting = [];
    this.waitingBytes = 0;
  }

  /** A comment shows both sides that the connection is alive. */
  keepAlive(cursor: string | undefined): void {
    if (this.isSlow) return;
    this.write(Buffer.from(cursor === undefined ? ':\n\n' : `:\n\nid: ${cursor}\n\n`));
  }

  end(reason: string): void {
    if (this.isClosed) return;
    this.response.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const { response } = this;
    setTimeout(() => response.destroy(), STALLED_MS).unref();
  }

  /** Resolves when the client has read what was sent, or has disconnected. */
  async drained(): Promise<void> {
    const { response } = this;
    if (!this.isSlow || this.isClosed) return;
    await new Promise<void>((resolve) => {
      let left = response.writableLength;
      const timer = setInterval(() => {
        if (response.writableLength >= left) response.destroy();
        left = response.writableLength;
      }, STALLED_MS);
      const done = () => {
        clearInterval(timer);
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
  }

  onClose(closed: () => void): void {
    if (this.response.destroyed) closed();
    else this.response.once('close', closed);
  }

  private sees({ kind, thingId, triggerId }: StreamEvent): boolean {
    return kind === 'sensor' || thingId === this.userId || (triggerId !== undefined && this.seen.has(triggerId));
  }

  private write(text: Buffer): void {
    if (this.isClosed || text.length === 0 || this.response.write(text)) return;
    this.budget.count(this.userId, text.length);
    this.held += text.length;
  }

  private release(): void {
    this.budget.release(this.userId, this.held);
    this.held = 0;
  }
}
