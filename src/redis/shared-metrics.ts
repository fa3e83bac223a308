import type { Redis } from 'ioredis';
import { AggregatorRegistry } from 'prom-client';
import { queuePrefix } from '../../jobs/queues';
import type { Clock } from '../clock';
import type { Metrics } from '../metrics';
import { withTimeout } from '../with-timeout';

/** A worker that has published nothing for this long is not shown any more. */
const SHOWN_FOR_MS = 30_000;
const REDIS_WAIT_MS = 1_000;

type MetricsJson = Awaited<ReturnType<Metrics['registry']['getMetricsAsJSON']>>;

/**
 * Workers answer no HTTP requests: they leave what they measured in Redis, and every API process shows it in addition
 * to its own, distinguished by the label `worker`. Without Redis an API process shows its own alone.
 */
export class SharedMetrics {
  private readonly key: string;

  constructor(
    private readonly redis: Pick<Redis, 'hset' | 'hgetall' | 'hdel'>,
    redisPrefix: string,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {
    this.key = `${queuePrefix(redisPrefix)}:metrics`;
  }

  /** Leaves what this process has measured so far, under its name. */
  async publish(worker: string): Promise<void> {
    const metrics = await this.metrics.registry.getMetricsAsJSON();
    await this.redis.hset(this.key, worker, JSON.stringify({ atMs: this.clock.now(), metrics }));
  }

  /** What this process and the workers measured, as Prometheus reads it. */
  async show(): Promise<string> {
    const own = await this.metrics.registry.getMetricsAsJSON();
    const all = [own, ...(await this.ofWorkers())].map((metrics) =>
      // Nothing is to be added up: the label distinguishes the processes.
      metrics.map((metric) => ({ ...metric, aggregator: 'sum' })),
    );
    return AggregatorRegistry.aggregate(all).metrics();
  }

  private async ofWorkers(): Promise<MetricsJson[]> {
    const stored = await withTimeout(REDIS_WAIT_MS, this.redis.hgetall(this.key)).catch(() => ({}));
    const shown: MetricsJson[] = [];
    for (const [worker, text] of Object.entries(stored)) {
      const { atMs, metrics }: { atMs: number; metrics: MetricsJson } = JSON.parse(text);
      if (this.clock.now() - atMs > SHOWN_FOR_MS) await this.redis.hdel(this.key, worker);
      else shown.push(metrics.map((metric) => ({ ...metric, values: labelled(metric.values, worker) })));
    }
    return shown;
  }
}

function labelled(values: MetricsJson[number]['values'], worker: string): MetricsJson[number]['values'] {
  return values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
}
