import { randomUUID } from 'node:crypto';
import { keyPrefix } from '../../platform/key-prefix';
import type { RedisClient } from '../../queue';
import type { WorkKind } from './work-kind';

const REDIS_WAIT_MS = 250;
/** Work without an end is forgotten after an hour without another beginning. */
const REMEMBERED_MS = 3_600_000;

/**
 * KEYS: a hash per piece of work, with the processes that began it without an end. Notes a beginning by process
 * ARGV[1], and returns the highest number of other processes.
 */
const BEGIN_SCRIPT = `local most = 0
for _, key in ipairs(KEYS) do
  redis.call('HSET', key, ARGV[1], 1)
  redis.call('PEXPIRE', key, ARGV[2])
  most = math.max(most, redis.call('HLEN', key) - 1)
end
return most`;

/**
 * Counts processes that began work and did not end it: they have died, or wait for a server. A process that begins it
 * again counts once. Without Redis nothing is counted or refused.
 */
export class BegunWork {
  private readonly process = randomUUID();

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
  ) {}

  async begin(kind: WorkKind, ids: readonly (number | string)[]): Promise<number> {
    const keys = this.keysOf(kind, ids);
    const counting = this.redis.ask(REDIS_WAIT_MS, (redis) =>
      redis.eval(BEGIN_SCRIPT, keys.length, ...keys, this.process, REMEMBERED_MS),
    );
    return counting.then(Number, () => 0);
  }

  /** Nothing waits for the record. */
  end(kind: WorkKind, ids: readonly (number | string)[]): void {
    const keys = this.keysOf(kind, ids);
    this.redis.ask(REDIS_WAIT_MS, (redis) => redis.del(...keys)).catch(() => undefined);
  }

  private keysOf(kind: WorkKind, ids: readonly (number | string)[]): string[] {
    return ids.map((id) => `${keyPrefix(this.redisPrefix)}:begun:${kind}:${id}`);
  }
}
