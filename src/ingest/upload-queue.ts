/** A request that waits to be stored. */
interface Sized {
  userId: number;
  /** How many points it brings. */
  size: number;
}

/** Points of one user that may wait: five of the largest requests. */
const POINTS_PER_USER = 50_000;
/** Requests of one user that may wait, however small they are. */
const REQUESTS_PER_USER = 2_000;

/** Requests that wait to be stored, shared out by user: of many waiting users each gets a part of every commit. */
export class UploadQueue<T extends Sized> {
  // In the order in which the users' turns come.
  private readonly users = new Map<number, { requests: T[]; points: number }>();

  private readonly held = new Set<number>();
  /** How many points wait. */
  points = 0;

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

  /** False when too much of the user waits already; a single request is always taken. */
  add(request: T): boolean {
    const queue = this.users.get(request.userId) ?? { requests: [], points: 0 };
    const isFull = queue.points + request.size > POINTS_PER_USER || queue.requests.length >= REQUESTS_PER_USER;
    if (queue.requests.length > 0 && isFull) return false;
    queue.requests.push(request);
    queue.points += request.size;
    this.points += request.size;
    this.users.set(request.userId, queue);
    return true;
  }

  /** Takes the next request of each user in turn until there are this many points, and one request at least. */
  take(points: number): T[] {
    const taken: T[] = [];
    for (let size = 0; taken.length === 0 || size < points; ) {
      const userId = this.next();
      const queue = userId === undefined ? undefined : this.users.get(userId);
      const request = queue?.requests.shift();
      if (userId === undefined || !queue || !request) break;
      queue.points -= request.size;
      this.points -= request.size;
      size += request.size;
      taken.push(request);
      this.users.delete(userId);
      if (queue.requests.length > 0) this.users.set(userId, queue); // behind the others
    }
    return taken;
  }

  private next(): number | undefined {
    for (const userId of this.users.keys()) if (!this.held.has(userId)) return userId;
    return undefined;
  }
}
