import { randomUUID } from 'node:crypto';
import { queuePrefix } from '../../../jobs/queues';
import type { RedisClient } from '../../queue';
import type { WorkKind } from './work-kind';

const REDIS_WAIT_MS = 250;
/** Work without an end is forgotten after an hour without another beginning. */
const REMEMBERED_MS = 3_600_000;

/**
 * KEYS: a hash per piece of work, with how often each process began it without an end. Counts a beginning by process
 * ARGV[1], and returns the highest count of all others.
 */
const BEGIN_SCRIPT = `local most = 0
for _, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, ARGV[1], 1)
  redis.call('PEXPIRE', key, ARGV[2])
  local counts, others = redis.call('HGETALL', key), 0
  for i = 1, #counts, 2 do
    if counts[i] ~= ARGV[1] then others = others + tonumber(counts[i + 1]) end
  end
  most = math.max(most, others)
end
return most`;

/**
 * Counts beginnings without an end: their processes died. Only for work that one process does at a time. Without Redis
 * nothing is counted or refused.
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
    return ids.map((id) => `${queuePrefix(this.redisPrefix)}:begun:${kind}:${id}`);
  }
}
