import { queuePrefix } from '../../jobs/queues';
import { usernameKey } from '../domain/account';
import { hashSecret } from '../domain/session-id';
import { TooMany, Unavailable } from '../errors';
import type { RedisClient } from './index';
import { networkOf } from './network-of';

const WINDOW_MS = 15 * 60_000;
const REDIS_WAIT_MS = 1_000;
/** One address may serve many users (an office, a mobile network). */
const ADDRESS_FACTOR = 10;

/** How long to wait (ms): the longest of the windows that are full, else 0. */
const WAIT_SCRIPT = `local wait = 0
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[i]) then wait = math.max(wait, redis.call('PTTL', key)) end
end
return wait`;

/** Counts one in each window; a window begins with its first refusal. */
const COUNT_SCRIPT = `for _, key in ipairs(KEYS) do
  redis.call('INCR', key)
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[1]) end
end
return 1`;

/** What is being guessed: the names of each kind are counted apart from those of the others. */
export interface GuessedLogin {
  kind: 'account' | 'group' | 'board' | 'application';
  name: string;
}

/**
 * Counts refused logins per name and per address, over all API processes, and stops those who guess passwords. A
 * username is kept as a hash, and an IPv6 address counts as its network. A limit of 0 turns it off. When Redis does not
 * answer in time nobody can log in (503): the alternative would be that everybody can guess.
 */
export class RefusedLogins {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly limit: number,
  ) {}

  /** Throws TooMany when this name or this address has been refused too often. */
  async check(guessed: GuessedLogin, address: string): Promise<void> {
    if (this.limit === 0) return;
    const limits = [this.limit, this.limit * ADDRESS_FACTOR];
    const waitMs = Number(await this.run(WAIT_SCRIPT, guessed, address, limits));
    if (waitMs > 0) throw new TooMany('too many refused logins; try again later', Math.ceil(waitMs / 1000));
  }

  /** Counts one refused login. */
  async count(guessed: GuessedLogin, address: string): Promise<void> {
    if (this.limit > 0) await this.run(COUNT_SCRIPT, guessed, address, [WINDOW_MS]);
  }

  private async run(script: string, { kind, name }: GuessedLogin, address: string, args: number[]): Promise<unknown> {
    // Guessing accounts from the address of the operator must not lock the board.
    const area = kind === 'board' ? 'board' : 'api';
    const keys = [`${kind}:${hashSecret(usernameKey(name))}`, `${area}:address:${networkOf(address)}`].map(
      (key) => `${queuePrefix(this.redisPrefix)}:refused-logins:${key}`,
    );
    try {
      return await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.eval(script, keys.length, ...keys, ...args));
    } catch {
      throw new Unavailable();
    }
  }
}
