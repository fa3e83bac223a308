import { randomUUID } from 'node:crypto';
import { Unavailable } from '../../platform/errors';
import { keyPrefix } from '../../platform/key-prefix';
import type { RedisClient } from '../../queue';
import type { Quarantine } from './quarantine';
import { MOST_DEATHS } from './work-kind';

const REDIS_WAIT_MS = 250;
const REMEMBERED_MS = 3_600_000;
/** A process without a sign of life for this long has died. */
const ALIVE_MS = 4_000;
const ALIVE_EVERY_MS = 1_000;

/**
 * KEYS: a hash with how often each process answers the request; the sign of life of process ARGV[1]. ARGV: that
 * process, how long both are kept, the prefix of signs of life, the limit of deaths. Returns the number of processes
 * that died answering; below the limit, counts this one.
 */
const BEGIN_SCRIPT = `local deaths = 0
for _, process in ipairs(redis.call('HKEYS', KEYS[1])) do
  if process ~= ARGV[1] and redis.call('EXISTS', ARGV[4] .. process) == 0 then deaths = deaths + 1 end
end
if deaths >= tonumber(ARGV[5]) then return deaths end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
return deaths`;

const END_SCRIPT = `if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) <= 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end
for _, process in ipairs(redis.call('HKEYS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[2] .. process) == 0 then redis.call('HDEL', KEYS[1], process) end
end
return 0`;

/**
 * Requests that may take much memory. One that has ended three processes is refused for an hour. Without Redis nothing
 * is counted.
 */
export class BegunRequests {
  private readonly process = randomUUID();
  private running = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly quarantine: Pick<Quarantine, 'add'>,
  ) {}

  /** `name` is the operation. Throws Unavailable if the request has ended too many processes. */
  async run<T>(userId: number, name: string, answer: () => Promise<T>): Promise<T> {
    const key = `${this.prefix}:begun:request:${userId}:${name}`;
    const deaths = await this.begin(key);
    if (deaths >= MOST_DEATHS) {
      const reason = `${name} has ended each of ${deaths} processes that answered it`;
      await this.quarantine.add('request', userId, reason);
      throw new Unavailable(`${reason}; it is refused for an hour: ask for less at once`, REMEMBERED_MS / 1_000);
    }
    this.count(1);
    try {
      return await answer();
    } finally {
      this.count(-1);
      this.ask(END_SCRIPT, [key], [this.process, this.signs]).catch(() => undefined);
    }
  }

  private async begin(key: string): Promise<number> {
    const args = [this.process, REMEMBERED_MS, ALIVE_MS, this.signs, MOST_DEATHS];
    return this.ask(BEGIN_SCRIPT, [key, this.signs + this.process], args).then(Number, () => 0);
  }

  private count(more: 1 | -1): void {
    this.running += more;
    if (this.running === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    this.timer ??= setInterval(() => {
      const sign = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.set(this.signs + this.process, '1', 'PX', ALIVE_MS));
      sign.catch(() => undefined);
    }, ALIVE_EVERY_MS).unref();
  }

  private ask(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.redis.ask(REDIS_WAIT_MS, (redis) => redis.eval(script, keys.length, ...keys, ...args));
  }

  private get prefix(): string {
    return keyPrefix(this.redisPrefix);
  }

  private get signs(): string {
    return `${this.prefix}:alive:`;
  }
}
