import { QUEUE_NAMES, queuePrefix } from '../../jobs/queues';
import { keyPrefix } from '../platform/key-prefix';
import type { RedisClient, RedisCommands } from '.';

const WAIT_MS = 5_000;
const KEYS_PER_STEP = 1_000;

/** Nothing is lost: all essential data is in MySQL. Fails if Redis is unreachable. */
export async function forgetAll(redis: Pick<RedisClient, 'ask' | 'masters'>, redisPrefix: string): Promise<number> {
  let deleted = 0;
  const tags = [keyPrefix(redisPrefix), ...QUEUE_NAMES.map((name) => queuePrefix(redisPrefix, name))];
  for (const master of redis.masters()) {
    for (const tag of tags) deleted += await forgetTagged(redis, master, tag);
  }
  return deleted;
}

async function forgetTagged(redis: Pick<RedisClient, 'ask'>, master: RedisCommands, tag: string): Promise<number> {
  let [cursor, deleted] = ['0', 0];
  do {
    const [next, keys] = await redis.ask(WAIT_MS, () =>
      master.scan(cursor, 'MATCH', `${tag}*`, 'COUNT', KEYS_PER_STEP),
    );
    if (keys.length > 0) deleted += await redis.ask(WAIT_MS, (connection) => connection.unlink(...keys));
    cursor = next;
  } while (cursor !== '0');
  return deleted;
}
