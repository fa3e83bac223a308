import { EMPTY_LINES } from './knobs';

export interface Queued<Tenant> {
  readonly tenant: Tenant;
  /** What tenants share equally; the unit of `sizePerTenant`. */
  readonly size: number;
  /** The unit of the limit over all tenants. */
  readonly weight: number;
}

export interface QueueLimits {
  perTenant: number;
  /** Maximum size of a tenant's requests. Its only request may be larger. */
  sizePerTenant?: number;
  weight: number;
}

/** `too-many`: the tenant's limit is reached. `full`: the limit of all, and the tenant has its share. */
export type AddOutcome = 'taken' | 'too-many' | 'full';

export interface Load {
  ofAll: number;
  ofTenant: number;
  tenants: number;
}

interface Line<Tenant, T> {
  readonly tenant: Tenant;
  readonly requests: T[];
  size: number;
  weight: number;
  /** What each busy tenant has got when the next request is taken. */
  due: number;
}

/**
 * `more` exceeds both the limit of all and the tenant's equal share (max-min fairness). The backlog never exceeds twice
 * the limit.
 */
export function exceedsFairShare({ ofAll, ofTenant, tenants }: Load, more: number, limit: number): boolean {
  return ofAll + more > limit && ofTenant + more > limit / Math.max(1, tenants);
}

/**
 * A queue in which busy tenants get equal shares by size, each in order: a small request of an idle tenant is next.
 * After S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications" (1994). Empty lines stay for
 * a while: V8 copies a map that loses entries as fast as it gets them, and old copies keep what they held.
 */
export class FairQueue<Tenant, T extends Queued<Tenant>> {
  private readonly lines = new Map<Tenant, Line<Tenant, T>>();
  private readonly waiting: Line<Tenant, T>[] = [];
  /** `due` of the latest taken request. */
  private latestDue = 0;
  size = 0;
  private weight = 0;

  constructor(private readonly limits: QueueLimits) {}

  add(request: T): AddOutcome {
    const { perTenant, sizePerTenant = Number.POSITIVE_INFINITY, weight } = this.limits;
    const line = this.lineOf(request.tenant);
    const isFirst = line.requests.length === 0;
    const isMuch = line.size + request.size > sizePerTenant || line.requests.length >= perTenant;
    if (!isFirst && isMuch) return 'too-many';
    const load = { ofAll: this.weight, ofTenant: line.weight, tenants: this.waiting.length + (isFirst ? 1 : 0) };
    if (exceedsFairShare(load, request.weight, weight)) return 'full';
    line.requests.push(request);
    this.count(line, request, 1);
    if (isFirst) this.insert(line);
    return 'taken';
  }

  /** Takes a total of at least `size` from the tenants in `mayTake`, and at least one request. */
  take(size: number, mayTake: (tenant: Tenant) => boolean = () => true): T[] {
    const taken: T[] = [];
    for (let left = size; left > 0; ) {
      const index = this.waiting.findIndex(({ tenant }) => mayTake(tenant));
      const line = this.waiting[index];
      const request = line?.requests.shift();
      if (!line || !request) break;
      this.waiting.splice(index, 1);
      this.count(line, request, -1);
      this.latestDue = Math.max(this.latestDue, line.due);
      if (line.requests.length > 0) this.insert(line);
      left -= request.size;
      taken.push(request);
    }
    return taken;
  }

  remove(request: T): void {
    const line = this.lines.get(request.tenant);
    const index = line?.requests.indexOf(request) ?? -1;
    if (!line || index === -1) return;
    line.requests.splice(index, 1);
    this.count(line, request, -1);
    if (line.requests.length === 0) this.waiting.splice(this.waiting.indexOf(line), 1);
  }

  /** An idle tenant has no claim to what the others got meanwhile. */
  private insert(line: Line<Tenant, T>): void {
    line.due = Math.max(line.due, this.latestDue) + (line.requests[0]?.size ?? 0);
    let index = this.waiting.length;
    while (index > 0 && (this.waiting[index - 1]?.due ?? 0) > line.due) index -= 1;
    this.waiting.splice(index, 0, line);
  }

  private lineOf(tenant: Tenant): Line<Tenant, T> {
    const known = this.lines.get(tenant);
    if (known) return known;
    if (this.lines.size >= this.waiting.length + EMPTY_LINES) this.dropEmpty();
    const line: Line<Tenant, T> = { tenant, requests: [], size: 0, weight: 0, due: 0 };
    this.lines.set(tenant, line);
    return line;
  }

  private dropEmpty(): void {
    for (const { tenant, requests } of this.lines.values()) if (requests.length === 0) this.lines.delete(tenant);
  }

  private count(line: Line<Tenant, T>, { size, weight }: T, sign: 1 | -1): void {
    line.size += sign * size;
    line.weight += sign * weight;
    this.size += sign * size;
    this.weight += sign * weight;
  }
}
