import { isAway } from '../storage/mysql-errors';
import type { MqttParts } from './mqtt-parts';
import { LEASE_MS } from './source-leases';
import { SourceRunner } from './source-runner';

/** How often leases are renewed, and sources looked for. */
const EVERY_MS = 1_000;
/** Maximum number of sources that one process has: others take the rest. */
const MAX_SOURCES = 100;

/** Connects to the brokers of the sources that this process leases. Starts and ends with the worker. */
export class SourceRunners {
  private readonly runners = new Map<number, SourceRunner>();
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private isClosing = false;
  /** Until when the leases last that this process has. */
  private leasedUntilMs = 0;

  constructor(private readonly parts: MqttParts) {}

  open(): void {
    this.isClosing = false;
    this.timer = setInterval(() => this.look(), EVERY_MS);
    this.look();
  }

  /** Ends all connections, and gives the leases back. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    await this.work;
    const ids = [...this.runners.keys()];
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
    await this.parts.leases.release(ids).catch(() => undefined); // they expire soon
  }

  /** What `close` waits for. */
  describe(): string {
    return `${this.runners.size} connections to MQTT brokers`;
  }

  /** Renews and takes leases, and follows the rows, once at a time. Ends connections whose leases were not renewed. */
  private look(): void {
    // Another worker may take the sources from then on.
    if (this.parts.clock.now() > this.leasedUntilMs) for (const runner of this.runners.values()) void runner.stop();
    this.work ??= this.follow().finally(() => {
      this.work = undefined;
    });
  }

  private async follow(): Promise<void> {
    try {
      const nowMs = this.parts.clock.now();
      await this.parts.leases.renew([...this.runners.keys()], nowMs);
      await this.parts.leases.take(MAX_SOURCES - this.runners.size, nowMs);
      const held = await this.parts.leases.held(nowMs);
      this.leasedUntilMs = nowMs + LEASE_MS;
      for (const runner of this.runners.values()) if (held.get(runner.id) !== runner.revision) void runner.stop();
      for (const [id, revision] of held) this.start(id, revision);
    } catch (error) {
      if (!isAway(error)) this.parts.logger.warn({ err: error }, 'the MQTT sources could not be read');
    }
  }

  private start(id: number, revision: number): void {
    if (this.isClosing || this.runners.has(id)) return;
    const runner = new SourceRunner(this.parts, id, revision);
    this.runners.set(id, runner);
    // Another one starts at the next look, if the lease is still there.
    runner.start(() => this.runners.delete(id));
  }
}
