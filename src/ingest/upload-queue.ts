import { isBeyondShare } from '../fair-gate';

/** A request that waits to be stored. */
export interface Sized {
  userId: number;
  /** How many points it brings. */
  size: number;
  /** What it takes in memory, about. */
  bytes: number;
}

/** `too-many`: of this user; `full`: of all users, and this one has more than an equal share of it. */
export type AddOutcome = 'taken' | 'too-many' | 'full';

/** Points of one user that may wait: five of the largest requests. */
const POINTS_PER_USER = 50_000;
/** Requests of one user that may wait, however small they are. */
const REQUESTS_PER_USER = 2_000;
/** Of all users. */
const BYTES_IN_ALL = 64 * 1024 * 1024;

/** Requests that wait to be stored, shared out by user: of many waiting users each gets a part of every commit. */
export class UploadQueue<T extends Sized> {
  // In the order in which the users' turns come.
  private readonly users = new Map<number, { requests: T[]; points: number; bytes: number }>();

  private readonly held = new Set<number>();
  /** How many points wait. */
  points = 0;
  private bytes = 0;

  /** Whether there is nothing to take. */
  get isEmpty(): boolean {
    return this.next() === undefined;
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

  /** Takes a request, unless too much waits; the only one of a user is never too many for the user. */
  add(request: T): AddOutcome {
    const known = this.users.get(request.userId);
    const queue = known ?? { requests: [], points: 0, bytes: 0 };
    const isMuch = queue.points + request.size > POINTS_PER_USER || queue.requests.length >= REQUESTS_PER_USER;
    if (queue.requests.length > 0 && isMuch) return 'too-many';
    const waiting = { ofAll: this.bytes, ofOwner: queue.bytes, owners: this.users.size + (known ? 0 : 1) };
    if (isBeyondShare(waiting, request.bytes, BYTES_IN_ALL)) return 'full';
    queue.requests.push(request);
    this.count(queue, request, 1);
    this.users.set(request.userId, queue);
    return 'taken';
  }

  /** Takes the next request of each user in turn until there are this many points, and one request at least. */
  take(points: number): T[] {
    const taken: T[] = [];
    for (let size = 0; taken.length === 0 || size < points; ) {
      const userId = this.next();
      const queue = userId === undefined ? undefined : this.users.get(userId);
      const request = queue?.requests.shift();
      if (userId === undefined || !queue || !request) break;
      this.count(queue, request, -1);
      size += request.size;
      taken.push(request);
      this.users.delete(userId);
      if (queue.requests.length > 0) this.users.set(userId, queue); // behind the others
    }
    return taken;
  }

  /** Takes all that waits of users who have at most this many points waiting, up to this many in all. */
  takeFew(points: number): T[] {
    const taken: T[] = [];
    let size = 0;
    for (const [userId, queue] of this.users) {
      if (size + queue.points > points || this.held.has(userId)) continue;
      size += queue.points;
      taken.push(...queue.requests);
      this.points -= queue.points;
      this.bytes -= queue.bytes;
      this.users.delete(userId);
    }
    return taken;
  }

  /** Whether more points than this wait of one user. */
  someoneHasMore(points: number): boolean {
    for (const queue of this.users.values()) if (queue.points > points) return true;
    return false;
  }

  private count(queue: { points: number; bytes: number }, { size, bytes }: T, sign: 1 | -1): void {
    queue.points += sign * size;
    queue.bytes += sign * bytes;
    this.points += sign * size;
    this.bytes += sign * bytes;
  }

  private next(): number | undefined {
    for (const userId of this.users.keys()) if (!this.held.has(userId)) return userId;
    return undefined;
  }
}
