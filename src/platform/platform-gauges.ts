import { Gauge, Registry } from 'prom-client';
import { withTimeout } from './with-timeout';

const FRESH_MS = 4_000;
const ANSWER_MS = 2_000;

export interface PlatformQuestions {
  readLoad(): Promise<{ counts: ReadonlyMap<string, number>; oldestSeconds: ReadonlyMap<string, number> }>;
  readMysql(): Promise<{ connected: number; running: number; maxConnections: number }>;
  readRedis(): Promise<{ used: number; max: number }>;
}

type Measurements = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Measured when an API process is scraped. A failing measurement is omitted and never delays the others for long. */
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
  private readonly connections = this.gauge(
    'mysql_connections',
    'Connections that MySQL has, those that run a statement, and how many it allows',
    ['state'],
  );
  private readonly redis = this.gauge('redis_up', 'Whether Redis answers', []);
  private readonly memory = this.gauge('redis_memory_bytes', 'Memory that Redis uses, and may use; 0 is any amount', [
    'state',
  ]);
  private readonly workers = this.gauge('platform_workers', 'Workers that have published metrics in the last 30 s', []);
  private measuredAt = Number.NEGATIVE_INFINITY;
  private underWay: Promise<void> | undefined;
  /** A server that does not answer is not asked twice. */
  private readonly open = new Map<string, Promise<unknown>>();

  constructor(private readonly questions: PlatformQuestions) {}

  async read(workers: number | undefined): Promise<Measurements> {
    await this.measure();
    if (workers === undefined) this.workers.remove();
    else this.workers.set(workers);
    return this.registry.getMetricsAsJSON();
  }

  /** Runs one measurement at a time, and none while the latest is fresh. */
  private measure(): Promise<void> {
    if (performance.now() - this.measuredAt < FRESH_MS) return Promise.resolve();
    this.underWay ??= Promise.all([this.measureLoad(), this.measureMysql(), this.measureRedis()]).then(() => {
      this.measuredAt = performance.now();
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async measureLoad(): Promise<void> {
    const load = await this.ask('load', () => this.questions.readLoad());
    for (const gauge of [this.backlog, this.oldest, this.receivers]) gauge.reset();
    if (!load) return;
    for (const [what, count] of load.counts) {
      const [, state] = /^receivers_(.+)$/.exec(what) ?? [];
      if (state === undefined) this.backlog.set({ what }, count);
      else this.receivers.set({ state }, count);
    }
    for (const [what, seconds] of load.oldestSeconds) this.oldest.set({ what }, seconds);
  }

  private async measureMysql(): Promise<void> {
    const state = await this.ask('mysql', () => this.questions.readMysql());
    this.mysql.set(state ? 1 : 0);
    this.connections.reset();
    if (!state) return;
    this.connections.set({ state: 'connected' }, state.connected);
    this.connections.set({ state: 'running' }, state.running);
    this.connections.set({ state: 'allowed' }, state.maxConnections);
  }

  private async measureRedis(): Promise<void> {
    const memory = await this.ask('redis', () => this.questions.readRedis());
    this.redis.set(memory ? 1 : 0);
    this.memory.reset();
    if (!memory) return;
    this.memory.set({ state: 'used' }, memory.used);
    this.memory.set({ state: 'allowed' }, memory.max);
  }

  /** Undefined without an answer in time. */
  private async ask<T>(name: string, question: () => Promise<T>): Promise<T | undefined> {
    const asked = (this.open.get(name) as Promise<T> | undefined) ?? question().finally(() => this.open.delete(name));
    this.open.set(name, asked);
    return withTimeout(ANSWER_MS, asked).catch(() => undefined);
  }

  private gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}
