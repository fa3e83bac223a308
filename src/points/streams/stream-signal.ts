import { keyPrefix } from '../../platform/key-prefix';
import { anotherConnection, type RedisClient, type RedisConnection } from '../../queue';

const PUBLISH_MS = 1_000;

/**
 * Signals to all API processes that a change was committed. A signal may be lost: streams also poll once a second. A
 * process subscribes while it has streams.
 */
export class StreamSignal {
  private readonly channel: string;
  private subscriber: RedisConnection | undefined;
  private onSignal: (() => void) | undefined;
  private isPublishing = false;
  private isDue = false;

  constructor(
    private readonly redis: RedisConnection,
    private readonly client: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
  ) {
    this.channel = `${keyPrefix(redisPrefix)}:streams`;
  }

  /** Call it after a commit. Never fails and never blocks. */
  notify(): void {
    this.onSignal?.();
    this.isDue = true;
    if (!this.isPublishing) void this.publish();
  }

  /** Calls back at each signal, and after a lost connection has come back, until `ignore`. */
  listen(onSignal: () => void): void {
    this.onSignal = onSignal;
    if (this.subscriber) return;
    const subscriber = anotherConnection(this.redis);
    this.subscriber = subscriber;
    subscriber.on('message', () => this.onSignal?.());
    subscriber.on('ready', () => {
      subscriber.subscribe(this.channel).catch(() => undefined); // it fails if the connection is closed
      this.onSignal?.();
    });
    subscriber.on('error', () => undefined); // the connection logs its own, and this one has no others
  }

  ignore(): void {
    this.onSignal = undefined;
    this.subscriber?.disconnect();
    this.subscriber = undefined;
  }

  private async publish(): Promise<void> {
    this.isPublishing = true;
    while (this.isDue) {
      this.isDue = false;
      await this.client.ask(PUBLISH_MS, (redis) => redis.publish(this.channel, '')).catch(() => undefined);
    }
    this.isPublishing = false;
  }
}
