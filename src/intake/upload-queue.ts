import { exceedsFairShare } from '../fairness/fair-semaphore';

export interface Sized {
  userId: number;
  /** Number of points. */
  size: number;
  /** Approximate size in memory. */
  bytes: number;
}

/** `too-many`: for this user. `full`: for all users, and this user has more than an equal share. */
export type AddOutcome = 'taken' | 'too-many' | 'full';

/** Maximum number of waiting points per user: five of the largest requests. */
const POINTS_PER_USER = 50_000;
/** Maximum number of waiting requests per user, however small they are. */
const REQUESTS_PER_USER = 2_000;
/** Maximum size of the waiting requests of all users. */
const BYTES_IN_ALL = 64 * 1024 * 1024;

/** Maximum number of empty lines kept before they are dropped. */
const EMPTY_LINES = 1_000;

/** The waiting requests of one user. */
interface Line<T> {
  userId: number;
  requests: T[];
  points: number;
  bytes: number;
}

/**
 * Requests that wait to be stored, shared out by user: if many users wait, each gets a part of every commit.
 *
 * Empty lines stay in their map for a while. V8 copies a map that loses entries as fast as it gets them, and an old
 * copy refers to the next. Once one copy is among V8's old objects, everything that ever waited survives until the next
 * collection of old objects, with its requests and responses.
 */
export class UploadQueue<T extends Sized> {
  private readonly lines = new Map<number, Line<T>>();
  /** The lines that are not empty, in round-robin order. */
  private waiting: Line<T>[] = [];

  private readonly held = new Set<number>();
  /** Number of waiting points. */
  points = 0;
  private bytes = 0;

  /** True if there is nothing to take. */
  get isEmpty(): boolean {
    return this.next() === -1;
  }

  /** Takes nothing of this user until `release`. */
  hold(userId: number): void {
    this.held.add(userId);
  }

  isHeld(userId: number): boolean {
    return this.held.has(userId);
  }

  release(userId: number): void {
    this.held.delete(userId);
  }

  /** Adds a request unless the queue is full. A user's only request never exceeds the user's limits. */
  add(request: T): AddOutcome {
    const line = this.lineOf(request.userId);
    const isFirst = line.requests.length === 0;
    const isMuch = line.points + request.size > POINTS_PER_USER || line.requests.length >= REQUESTS_PER_USER;
    if (!isFirst && isMuch) return 'too-many';
    const waiting = { ofAll: this.bytes, ofOwner: line.bytes, owners: this.waiting.length + (isFirst ? 1 : 0) };
    if (exceedsFairShare(waiting, request.bytes, BYTES_IN_ALL)) return 'full';
    if (isFirst) this.waiting.push(line);
    line.requests.push(request);
    this.count(line, request, 1);
    return 'taken';
  }

  /** Takes the next request of each user round-robin until there are this many points. Takes at least one request. */
  take(points: number): T[] {
    const taken: T[] = [];
    for (let size = 0; taken.length === 0 || size < points; ) {
      const index = this.next();
      const line = this.waiting[index];
      const request = line?.requests.shift();
      if (!line || !request) break;
      this.count(line, request, -1);
      size += request.size;
      taken.push(request);
      this.waiting.splice(index, 1);
      if (line.requests.length > 0) this.waiting.push(line); // behind the others
    }
    return taken;
  }

  /** Takes all requests of users who have at most this many points waiting, up to this many points in total. */
  takeFew(points: number): T[] {
    const taken: T[] = [];
    let size = 0;
    this.waiting = this.waiting.filter((line) => {
      if (size + line.points > points || this.held.has(line.userId)) return true;
      size += line.points;
      for (const request of line.requests.splice(0)) {
        this.count(line, request, -1);
        taken.push(request);
      }
      return false;
    });
    return taken;
  }

  /** True if some user has more than this number of points waiting. */
  someoneHasMore(points: number): boolean {
    return this.waiting.some((line) => line.points > points);
  }

  private lineOf(userId: number): Line<T> {
    const known = this.lines.get(userId);
    if (known) return known;
    if (this.lines.size >= this.waiting.length + EMPTY_LINES) this.forgetEmpty();
    const line: Line<T> = { userId, requests: [], points: 0, bytes: 0 };
    this.lines.set(userId, line);
    return line;
  }

  private forgetEmpty(): void {
    for (const { userId, requests } of this.lines.values()) if (requests.length === 0) this.lines.delete(userId);
  }

  private count(line: Line<T>, { size, bytes }: T, sign: 1 | -1): void {
    line.points += sign * size;
    line.bytes += sign * bytes;
    this.points += sign * size;
    this.bytes += sign * bytes;
  }

  /** Index of the line from which the next request may be taken; -1 if there is none. */
  private next(): number {
    return this.waiting.findIndex(({ userId }) => !this.held.has(userId));
  }
}
