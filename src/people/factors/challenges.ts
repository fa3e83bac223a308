import { queuePrefix } from '../../../jobs/queues';
import { Unavailable } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import type { RedisClient, RedisCommands } from '../../queue';

const LIFE_MS = 5 * 60_000;
const REDIS_WAIT_MS = 1_000;

/** Challenges that browsers sign. Each is good once, for one purpose, within five minutes. */
export class Challenges {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
  ) {}

  async issue(purpose: string, challenge: string): Promise<void> {
    await this.ask((redis) => redis.set(this.keyOf(purpose, challenge), '1', 'PX', LIFE_MS));
  }

  /** Returns false if it was not issued for this, or is used up. */
  async take(purpose: string, challenge: string): Promise<boolean> {
    return (await this.ask((redis) => redis.del(this.keyOf(purpose, challenge)))) === 1;
  }

  private keyOf(purpose: string, challenge: string): string {
    return `${queuePrefix(this.redisPrefix)}:passkeys:${purpose}:${hashSecret(challenge)}`;
  }

  private async ask<T>(command: (redis: RedisCommands) => Promise<T>): Promise<T> {
    try {
      return await this.redis.ask(REDIS_WAIT_MS, command);
    } catch {
      throw new Unavailable();
    }
  }
}
