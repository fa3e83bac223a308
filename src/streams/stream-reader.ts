import type { ServerResponse } from 'node:http';
import { isBehind, type StreamPosition } from '../domain/stream-position';
import type { Topics } from './topics';

/** Unsent bytes with which a reader counts as slow: it then gets what is in the log at its own pace. */
const SLOW_BYTES = 64 * 1024;
/** A reader that takes nothing for so long is cut off. It can go on by its cursor. */
const STALLED_MS = 30_000;

/** One response with a stream. */
export class StreamReader {
  /** Everything up to here has been written to it. */
  position: StreamPosition;
  private waiting: string[] = [];

  constructor(
    readonly userId: number,
    readonly topics: Topics,
    position: StreamPosition,
    private readonly response: ServerResponse,
  ) {
    this.position = position;
  }

  get isClosed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Whether the client takes less than it is sent. */
  get isSlow(): boolean {
    return this.response.writableLength > SLOW_BYTES;
  }

  /** Takes an event, unless it has been there before; `flush` writes what was taken. */
  take(text: string, position: StreamPosition): void {
    if (!isBehind(position, this.position)) return;
    this.waiting.push(text);
    this.position = position;
  }

  /** Writes what was taken; everything up to `end` has been looked at. */
  flush(end = this.position): void {
    if (isBehind(end, this.position)) this.position = end;
    if (this.waiting.length === 0) return;
    const [only = ''] = this.waiting;
    this.write(this.waiting.length === 1 ? only : this.waiting.join(''));
    this.waiting = [];
  }

  write(text: string): void {
    if (!this.isClosed) this.response.write(text);
  }

  /** A comment, so that both sides see that the connection lives, and a cursor if there is a newer one. */
  keepAlive(cursor: string | undefined): void {
    if (this.isSlow) return;
    this.write(cursor === undefined ? ':\n\n' : `:\n\nid: ${cursor}\n\n`);
  }

  /** Says why, and ends the response. */
  end(reason: string): void {
    if (this.isClosed) return;
    this.response.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const { response } = this;
    setTimeout(() => response.destroy(), STALLED_MS).unref();
  }

  /** Resolves when the client has taken what was sent, or is gone. */
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

  /** Calls this when the client is gone or the response has ended. */
  onClose(closed: () => void): void {
    if (this.response.destroyed) closed();
    else this.response.once('close', closed);
  }
}
