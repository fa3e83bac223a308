import { Unavailable } from '../../platform/errors';
import { keyPrefix } from '../../platform/key-prefix';
import type { Logger } from '../../platform/logger';
import type { RedisClient } from '../../queue';
import { MAX_RECENT, newRecentMessage, type RecentMessage } from './recent-message';

const REDIS_WAIT_MS = 1_000;
const KEPT_MS = 7 * 86_400_000;
const EVERY_MS = 1_000;

/** Not essential: written some time after the commit, lost with Redis. */
export class MessageLog {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly logger: Logger,
  ) {}

  /** Returns the newest first. Throws Unavailable without Redis. */
  async read(sourceId: number): Promise<RecentMessage[]> {
    const text = await this.redis
      .ask(REDIS_WAIT_MS, (redis) => redis.get(this.keyOf(sourceId)))
      .catch(() => {
        throw new Unavailable();
      });
    return text === null ? [] : JSON.parse(text);
  }

  async write(sourceId: number, messages: readonly RecentMessage[]): Promise<void> {
    const text = JSON.stringify(messages);
    await this.try((redis) => redis.set(this.keyOf(sourceId), text, 'PX', KEPT_MS));
  }

  /** Never fails: what is left expires. */
  async forget(sourceId: number): Promise<void> {
    await this.try((redis) => redis.unlink(this.keyOf(sourceId)));
  }

  private async try(command: Parameters<RedisClient['ask']>[1]): Promise<void> {
    await this.redis.ask(REDIS_WAIT_MS, command).catch((error) => {
      this.logger.debug({ reason: String(error) }, 'the latest messages of an MQTT source were not stored');
    });
  }

  private keyOf(sourceId: number): string {
    return `${keyPrefix(this.redisPrefix)}:mqtt-messages:${sourceId}`;
  }
}

/** The latest messages of one connection's source, written from time to time. */
export class RecentMessages {
  private latest: RecentMessage[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly log: MessageLog,
    private readonly sourceId: number,
  ) {}

  /** Continues with the messages of earlier connections. What waited is delivered again. */
  async open(): Promise<void> {
    const earlier = await this.log.read(this.sourceId).catch(() => []);
    const settled = earlier.filter(({ outcome }) => outcome !== 'waiting').reverse();
    this.latest = [...settled, ...this.latest].slice(-MAX_RECENT);
  }

  add(message: Parameters<typeof newRecentMessage>[0], receivedMs: number): RecentMessage {
    const added = newRecentMessage(message, receivedMs);
    this.latest.push(added);
    if (this.latest.length > MAX_RECENT) this.latest.shift();
    this.onChange();
    return added;
  }

  onChange(): void {
    if (this.isClosed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.log.write(this.sourceId, this.newestFirst());
    }, EVERY_MS).unref();
  }

  async close(isGone: boolean): Promise<void> {
    this.isClosed = true;
    const isChanged = this.timer !== undefined;
    clearTimeout(this.timer);
    if (isGone) await this.log.forget(this.sourceId);
    else if (isChanged) await this.log.write(this.sourceId, this.newestFirst());
  }

  private newestFirst(): RecentMessage[] {
    return [...this.latest].reverse();
  }
}
