import { queuePrefix } from '../../jobs/queues';
import type { RedisClient } from './index';

const WAIT_MS = 5_000;
const KEYS_PER_STEP = 1_000;

/**
 * Deletes everything that the platform with this prefix has in Redis, and returns how many keys that were. Nothing is lost:
 * what matters is in MySQL. Fails when Redis is not there.
 */
export async function forgetAll(redis: Pick<RedisClient, 'ask'>, redisPrefix: string): Promise<number> {
  let [cursor, deleted] = ['0', 0];
  do {
    const [next, keys] = await redis.ask(WAIT_MS, (connection) =>
      connection.scan(cursor, 'MATCH', `${queuePrefix(redisPrefix)}*`, 'COUNT', KEYS_PER_STEP),
    );
    if (keys.length > 0) deleted += await redis.ask(WAIT_MS, (connection) => connection.unlink(...keys));
    cursor = next;
  } while (cursor !== '0');
  return deleted;
}
