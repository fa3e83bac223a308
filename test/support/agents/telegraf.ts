import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How a Telegraf is configured, by the names of its settings where there are such. */
export interface TelegrafSettings {
  /** The address of the server; `/api/v2/write` is appended. */
  url: string;
  token: string;
  metricBatchSize?: number;
  flushIntervalMs?: number;
}

/** What became of the metrics of a batch. */
type Fate = 'accepted' | 'dropped' | 'kept' | 'throttled' | 'too-large';

const SUCCESS: ReadonlySet<number> = new Set([200, 201, 202, 204, 206, 207, 208]);
const THROTTLED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_BACKOFF_SECONDS = 60;
const MOST_RETRY_AFTER_SECONDS = 600;
const TIMEOUT_MS = 5_000;

/**
 * An agent with the buffer, batches and retries of Telegraf's output for InfluxDB 2, as in its source at commit 01b9116
 * (plugins/outputs/influxdb_v2). Telegraf itself is in no package registry.
 */
export class TelegrafLike {
  /** Metrics of which the server has confirmed the storage, and those that the agent has given up. */
  accepted = 0;
  dropped = 0;
  /** How often each status was answered; 0 counts closed connections. */
  readonly statuses = new Map<number, number>();

  private buffer: string[] = [];
  private retryAtMs = 0;
  private retries = 0;
  private isEnding = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly settings: TelegrafSettings) {}

  /** Number of metrics that wait for a confirmation. */
  get waiting(): number {
    return this.buffer.length;
  }

  /** Adds metrics as lines. */
  add(lines: readonly string[]): void {
    this.buffer.push(...lines);
  }

  start(): void {
    this.running = this.run();
  }

  /** Ends without another attempt. */
  async stop(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isEnding) {
      await this.flush();
      await sleep(this.settings.flushIntervalMs ?? 50);
    }
  }

  /** Writes all full batches and one that is not full; a batch that is not accepted ends the flush. */
  private async flush(): Promise<void> {
    const size = this.settings.metricBatchSize ?? 1_000;
    const batches = Math.floor(this.buffer.length / size) + 1;
    for (let count = 0; count < batches && this.buffer.length > 0 && !this.isEnding; count += 1) {
      if (Date.now() < this.retryAtMs) return;
      const batch = this.buffer.slice(0, size);
      const kept = await this.write(batch);
      this.buffer = [...kept, ...this.buffer.slice(batch.length)];
      if (kept.length > 0) return;
    }
  }

  /** Sends metrics, in halves if they are too many; returns those that stay in the buffer. */
  private async write(metrics: readonly string[], isHalf = false): Promise<readonly string[]> {
    const { fate, retryAfter } = await this.post(metrics);
    switch (fate) {
      case 'accepted':
        this.accepted += metrics.length;
        return [];
      case 'dropped':
        this.dropped += metrics.length;
        return [];
      case 'kept':
        return metrics;
      case 'throttled':
        if (!isHalf) this.wait(retryAfter);
        return metrics;
      case 'too-large':
        return metrics.length > 1 ? this.writeHalves(metrics) : metrics;
    }
  }

  private async writeHalves(metrics: readonly string[]): Promise<readonly string[]> {
    const middle = Math.floor(metrics.length / 2);
    const first = await this.write(metrics.slice(0, middle), true);
    const second = await this.write(metrics.slice(middle), true);
    return [...first, ...second];
  }

  /** The longer of what the server asks for and its own backoff: (number of retries)² / 40 seconds. */
  private wait(retryAfter: number): void {
    this.retries += 1;
    const backoff = Math.min(this.retries ** 2 / 40, MOST_BACKOFF_SECONDS);
    this.retryAtMs = Date.now() + Math.max(backoff, Math.min(retryAfter, MOST_RETRY_AFTER_SECONDS)) * 1_000;
  }

  private async post(metrics: readonly string[]): Promise<{ fate: Fate; retryAfter: number }> {
    const { url, token } = this.settings;
    const response = await fetch(`${url}/api/v2/write?bucket=home&org=home`, {
      method: 'POST',
      headers: {
        authorization: `Token ${token}`,
        'content-encoding': 'gzip',
        'content-type': 'text/plain; charset=utf-8',
      },
      body: new Uint8Array(gzipSync(metrics.join(''))),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    const status = response?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (SUCCESS.has(status)) this.retries = 0;
    return { fate: fateOf(status), retryAfter: Number(response?.headers.get('retry-after') ?? 0) };
  }
}

function fateOf(status: number): Fate {
  if (SUCCESS.has(status)) return 'accepted';
  if (status === 413) return 'too-large';
  if (THROTTLED.has(status)) return 'throttled';
  if (status === 401 || status === 403) return 'kept';
  return status >= 400 && status < 500 ? 'dropped' : 'kept';
}
