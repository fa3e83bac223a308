import { Gauge, Registry } from 'prom-client';
import { withTimeout } from './with-timeout';

/** How old the measurements of a scrape may be: several may ask. */
const FRESH_MS = 4_000;
const ANSWER_MS = 2_000;

/** What is asked about the platform as a whole. */
export interface PlatformQuestions {
  readLoad(): Promise<{ counts: ReadonlyMap<string, number>; oldestSeconds: ReadonlyMap<string, number> }>;
  pingRedis(): Promise<unknown>;
}

type Measurements = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * What is true of the whole platform whichever process is asked: what waits, and whether MySQL and Redis answer. API processes
 * measure it when they are scraped. What cannot be measured is left out, and never holds up the rest for long.
 */
export class PlatformGauges {
  private readonly registry = new Registry();
  private readonly backlog = this.gauge('platform_backlog', 'What waits, by kind', ['what']);
  private readonly oldest = this.gauge(
    'platform_backlog_oldest_seconds',
    'How long the oldest of a kind has been waiting; 0 when nothing waits',
    ['what'],
  );
  private readonly receivers = this.gauge('platform_receivers', 'Receivers that are degraded, or paused by operators', [
    'state',
  ]);
  private readonly mysql = this.gauge('mysql_up', 'Whether MySQL answers', []);
  private readonly redis = this.gauge('redis_up', 'Whether Redis answers', []);
  private readonly workers = this.gauge('platform_workers', 'Workers that have published metrics in the last 30 s', []);
  private measuredAt = Number.NEGATIVE_INFINITY;
  private underWay: Promise<void> | undefined;
  private reading: ReturnType<PlatformQuestions['readLoad']> | undefined;

  constructor(private readonly questions: PlatformQuestions) {}

  /** The measurements, with the number of workers; undefined when Redis, which knows it, does not answer. */
  async read(workers: number | undefined): Promise<Measurements> {
    await this.measure();
    if (workers === undefined) this.workers.remove();
    else this.workers.set(workers);
    return this.registry.getMetricsAsJSON();
  }

  /** At most one at a time, and none when the latest is fresh. */
  private measure(): Promise<void> {
    if (performance.now() - this.measuredAt < FRESH_MS) return Promise.resolve();
    this.underWay ??= Promise.all([this.measureLoad(), this.measureRedis()]).then(() => {
      this.measuredAt = performance.now();
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async measureLoad(): Promise<void> {
    // A server that does not answer is not asked a second time.
    this.reading ??= this.questions.readLoad().finally(() => {
      this.reading = undefined;
    });
    const load = await withTimeout(ANSWER_MS, this.reading).catch(() => undefined);
    this.mysql.set(load ? 1 : 0);
    for (const gauge of [this.backlog, this.oldest, this.receivers]) gauge.reset();
    if (!load) return;
    for (const [what, count] of load.counts) {
      const [, state] = /^receivers_(.+)$/.exec(what) ?? [];
      if (state === undefined) this.backlog.set({ what }, count);
      else this.receivers.set({ state }, count);
    }
    for (const [what, seconds] of load.oldestSeconds) this.oldest.set({ what }, seconds);
  }

  private async measureRedis(): Promise<void> {
    const answers = await this.questions.pingRedis().then(
      () => true,
      () => false,
    );
    this.redis.set(answers ? 1 : 0);
  }

  private gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}
