import { AggregatorRegistry } from 'prom-client';
import type { Clock } from '../platform/clock';
import { keyPrefix } from '../platform/key-prefix';
import type { Metrics } from '../platform/metrics';
import type { RedisClient } from '.';

const SHOWN_FOR_MS = 30_000;
const REDIS_WAIT_MS = 1_000;

type MetricsJson = Awaited<ReturnType<Metrics['registry']['getMetricsAsJSON']>>;

interface Published {
  atMs: number;
  metrics: MetricsJson;
}

/** Every API process shows the workers' metrics with the label `worker`; without Redis only its own. */
export class SharedMetrics {
  private readonly key: string;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    /** `workers` is undefined if Redis does not answer. */
    private readonly readPlatform: (workers: number | undefined) => Promise<MetricsJson> = async () => [],
  ) {
    this.key = `${keyPrefix(redisPrefix)}:metrics`;
  }

  async publish(worker: string): Promise<void> {
    const metrics = await this.metrics.registry.getMetricsAsJSON();
    const text = JSON.stringify({ atMs: this.clock.now(), metrics } satisfies Published);
    await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.hset(this.key, worker, text));
  }

  async show(): Promise<string> {
    const workers = await this.ofWorkers().catch(() => undefined);
    const [own, platform] = await Promise.all([
      this.metrics.registry.getMetricsAsJSON(),
      this.readPlatform(workers?.length),
    ]);
    const all = [own, platform, ...(workers ?? [])].map((metrics) =>
      metrics.map((metric) => ({ ...metric, aggregator: 'sum' })),
    );
    return AggregatorRegistry.aggregate(all).metrics();
  }

  /** Fails if Redis does not answer. */
  private async ofWorkers(): Promise<MetricsJson[]> {
    const stored = await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.hgetall(this.key));
    const shown: MetricsJson[] = [];
    const outdated: string[] = [];
    for (const [worker, text] of Object.entries(stored)) {
      const published = parse(text);
      if (!published || this.clock.now() - published.atMs > SHOWN_FOR_MS) outdated.push(worker);
      else shown.push(published.metrics.map((metric) => ({ ...metric, values: labelled(metric.values, worker) })));
    }
    if (outdated.length > 0) {
      await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.hdel(this.key, ...outdated)).catch(() => undefined);
    }
    return shown;
  }
}

function parse(text: string): Published | undefined {
  try {
    const published: Published = JSON.parse(text);
    return published.metrics.every(({ values }) => Array.isArray(values)) ? published : undefined;
  } catch {
    return undefined;
  }
}

function labelled(values: MetricsJson[number]['values'], worker: string): MetricsJson[number]['values'] {
  return values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
}
