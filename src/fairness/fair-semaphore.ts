import { TooMany, Unavailable } from '../platform/errors';
import { FairQueue, type Queued } from './fair-queue';

export interface SemaphoreLimits {
  /** Maximum number of permits at the same time; without a number no limit. */
  atOnce?: number;
  perTenant?: number;
  waitingPerTenant?: number;
  /** Maximum number of waiting requests; beyond it, a tenant may have an equal share. */
  waiting?: number;
}

interface Waiting<Tenant> extends Queued<Tenant> {
  enter(): void;
}

/**
 * Fair between tenants (users or addresses): round-robin between them, in order within one. Waiting for a tenant's own
 * permits delays no other tenant.
 */
export class FairSemaphore<Tenant extends number | string> {
  private inside = 0;
  private readonly insideOf = new Map<Tenant, number>();
  private readonly queue: FairQueue<Tenant, Waiting<Tenant>>;
  private readonly atOnce: number;
  private readonly perTenant: number;

  constructor(limits: SemaphoreLimits) {
    const { atOnce = Infinity, perTenant = Infinity, waitingPerTenant = Infinity, waiting = Infinity } = limits;
    this.atOnce = atOnce;
    this.perTenant = perTenant;
    this.queue = new FairQueue({ perTenant: waitingPerTenant, weight: waiting });
  }

  /**
   * Returns the release. Throws TooMany if too many requests of the tenant wait, Unavailable if too many of all, and
   * the signal's reason after an abort.
   */
  async enter(tenant: Tenant, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.inside < this.atOnce && this.hasRoom(tenant)) this.count(tenant, 1);
    else await this.wait(tenant, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.count(tenant, -1);
      this.admitNext();
    };
  }

  async run<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(tenant);
    return work().finally(leave);
  }

  private wait(tenant: Tenant, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.queue.remove(request);
        reject(signal?.reason);
      };
      const request = { tenant, size: 1, weight: 1, enter };
      const outcome = this.queue.add(request);
      if (outcome === 'too-many') throw new TooMany('too many of your requests wait', 1);
      if (outcome === 'full') throw new Unavailable('too many requests wait at the moment; try again later', 1);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Counts the permit before its request continues: no other can take it. */
  private admitNext(): void {
    const [next] = this.queue.take(1, (tenant) => this.hasRoom(tenant));
    if (!next) return;
    this.count(next.tenant, 1);
    next.enter();
  }

  private hasRoom(tenant: Tenant): boolean {
    return (this.insideOf.get(tenant) ?? 0) < this.perTenant;
  }

  private count(tenant: Tenant, sign: 1 | -1): void {
    this.inside += sign;
    const own = (this.insideOf.get(tenant) ?? 0) + sign;
    if (own > 0) this.insideOf.set(tenant, own);
    else this.insideOf.delete(tenant);
  }
}
