import { dueAt, type Outage } from './inactivity';

/** Cells of a member: its id, value, date and latest arrival in ms. */
const WIDTH = 4;
/** Dates of a member whose stored points are to be read, and of one that has none. */
const UNREAD = Number.NaN;
const NO_POINT = Number.NEGATIVE_INFINITY;

/** `value` is NaN if the point has no number. */
export interface MemberPoint {
  sensorId: number;
  value: number;
  dateMs: number;
  receivedMs: number;
}

/** What decides whether members are inactive. */
export interface FleetClock {
  nowMs: number;
  /** Uploads were possible until then. */
  availableUntilMs: number;
  /** Seconds; 0 for never. */
  inactiveAfter: number;
  outages: readonly Outage[];
  /** Sensors whose points wait for a pass. */
  waiting: ReadonlySet<number>;
}

export interface FleetOutput {
  count: number;
  average: number | null;
  minimum: number | null;
  maximum: number | null;
  sum: number;
  silent: number;
  firing: number;
}

export function packMembers(points: readonly MemberPoint[]): Buffer {
  const cells = new Float64Array(points.length * WIDTH);
  points.forEach(({ sensorId, value, dateMs, receivedMs }, at) => {
    cells.set([sensorId, value, dateMs, receivedMs], at * WIDTH);
  });
  return bytesOf(cells);
}

export function unpackMembers(blob: Buffer): MemberPoint[] {
  const cells = cellsOf(blob);
  return Array.from({ length: cells.length / WIDTH }, (_, member) => {
    const [sensorId = 0, value = 0, dateMs = 0, receivedMs = 0] = cells.subarray(member * WIDTH, (member + 1) * WIDTH);
    return { sensorId, value, dateMs, receivedMs };
  });
}

/** The members of a fleet, in the order of their ids. Numbers are added in this order, so sums are exact everywhere. */
export class FleetMembers {
  /** True once anything differs from what was given. */
  hasChanged = false;

  private constructor(private cells: Float64Array) {}

  static decode(blob: Buffer): FleetMembers {
    return new FleetMembers(cellsOf(blob));
  }

  encode(): Buffer {
    return bytesOf(this.cells);
  }

  get count(): number {
    return this.cells.length / WIDTH;
  }

  get ids(): number[] {
    return Array.from({ length: this.count }, (_, member) => this.cells[member * WIDTH] ?? 0);
  }

  get points(): MemberPoint[] {
    return unpackMembers(this.encode());
  }

  /** Joins and drops members. `sensorIds` are in order; a new member is unread, and its time without data begins now. */
  follow(sensorIds: readonly number[], nowMs: number): void {
    const cells = new Float64Array(sensorIds.length * WIDTH);
    let isSame = sensorIds.length === this.count;
    sensorIds.forEach((id, member) => {
      const at = this.find(id);
      if (at !== member * WIDTH) isSame = false;
      cells.set(at < 0 ? [id, Number.NaN, UNREAD, nowMs] : this.cells.subarray(at, at + WIDTH), member * WIDTH);
    });
    if (isSame) return;
    this.cells = cells;
    this.hasChanged = true;
  }

  /** Their stored points have to be read again, for another field. */
  forgetValues(): void {
    for (let at = 0; at < this.cells.length; at += WIDTH) this.cells.set([Number.NaN, UNREAD], at + 1);
    this.hasChanged = true;
  }

  get unread(): number[] {
    const { cells } = this;
    const ids: number[] = [];
    for (let at = 0; at < cells.length; at += WIDTH) if (Number.isNaN(cells[at + 2])) ids.push(cells[at] ?? 0);
    return ids;
  }

  /** Takes the latest stored points of unread members; those without one have no value. */
  read(sensorIds: readonly number[], points: ReadonlyMap<number, MemberPoint>): void {
    for (const id of sensorIds) {
      const at = this.find(id);
      const point = points.get(id);
      if (at < 0) continue;
      const received = point?.receivedMs ?? this.cells[at + 3] ?? 0;
      this.cells.set([point?.value ?? Number.NaN, point?.dateMs ?? NO_POINT, received], at + 1);
      this.hasChanged = true;
    }
  }

  /** Takes points in the order in which they were handled: of those with the newest date, the last. */
  fold(blob: Buffer): void {
    const [cells, given] = [this.cells, cellsOf(blob)];
    for (let from = 0; from < given.length; from += WIDTH) {
      const at = this.find(given[from] ?? 0);
      if (at < 0) continue;
      this.hasChanged = true;
      cells[at + 3] = Math.max(given[from + 3] ?? 0, cells[at + 3] ?? 0);
      const dateMs = given[from + 2] ?? NO_POINT;
      if (dateMs < (cells[at + 2] ?? NO_POINT)) continue;
      cells[at + 1] = given[from + 1] ?? Number.NaN;
      cells[at + 2] = dateMs;
    }
  }

  get oldestArrivalMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (let at = 3; at < this.cells.length; at += WIDTH) oldest = Math.min(oldest, this.cells[at] ?? oldest);
    return oldest;
  }

  /** Counts inactive members, and returns when the next one may be; null if none will be. */
  inactivity(clock: FleetClock): { inactive: number; nextDueMs: number | null } {
    const { nowMs, availableUntilMs, inactiveAfter, outages, waiting } = clock;
    if (inactiveAfter === 0) return { inactive: 0, nextDueMs: null };
    const untilMs = Math.min(nowMs, availableUntilMs);
    let inactive = 0;
    let next = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.cells.length; at += WIDTH) {
      const heardMs = this.cells[at + 3] ?? 0;
      const soonestMs = heardMs + inactiveAfter * 1_000;
      const dueMs = soonestMs <= untilMs && outages.length > 0 ? dueAt(heardMs, inactiveAfter, outages) : soonestMs;
      if (dueMs <= untilMs && !waiting.has(this.cells[at] ?? 0)) inactive += 1;
      else next = Math.min(next, Math.max(dueMs, nowMs + 1_000));
    }
    return { inactive, nextDueMs: Number.isFinite(next) ? next : null };
  }

  output(firing: ReadonlySet<number>, inactive: number): FleetOutput {
    let [sum, values, minimum, maximum] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = 1; at < this.cells.length; at += WIDTH) {
      const value = this.cells[at] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      values += 1;
      sum += value;
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    }
    let open = 0;
    for (const id of firing) if (this.find(id) >= 0) open += 1;
    const numbers =
      values === 0
        ? { average: null, minimum: null, maximum: null, sum: 0 }
        : { average: sum / values, minimum, maximum, sum };
    return { count: this.count, ...numbers, silent: inactive, firing: open };
  }

  /** The first cell of a member, or -1. */
  private find(sensorId: number): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const id = this.cells[middle * WIDTH] ?? 0;
      if (id === sensorId) return middle * WIDTH;
      if (id < sensorId) from = middle + 1;
      else to = middle;
    }
    return -1;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength); // never a shared one
}

/** Copies: the bytes of a driver need not be aligned. */
function cellsOf(blob: Buffer): Float64Array {
  const cells = new Float64Array(blob.length / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(cells.buffer).set(blob);
  return cells;
}
