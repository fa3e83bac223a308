import { TooMany, Unavailable } from '../../platform/errors';
import { keyPrefix } from '../../platform/key-prefix';
import { networkOf } from '../../platform/network-of';
import { hashSecret } from '../../platform/secrets';
import type { RedisClient } from '../../queue';
import { usernameKey } from './account';

const WINDOW_MS = 15 * 60_000;
const REDIS_WAIT_MS = 1_000;
/** One address may serve many users, and one account may be guessed from many addresses. */
const WIDE_FACTOR = 10;

/** Returns ms: the longest remaining time of the full windows, or 0. */
const WAIT_SCRIPT = `local wait = 0
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[i]) then wait = math.max(wait, redis.call('PTTL', key)) end
end
return wait`;

const COUNT_SCRIPT = `for _, key in ipairs(KEYS) do
  redis.call('INCR', key)
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[1]) end
end
return 1`;

export type GuessedLogin =
  | {
      kind: 'account';
      name: string;
      /** The account has a session from this address: refusals from elsewhere do not count. */
      isKnown: boolean;
    }
  /** Entered by a user who is logged in with the session of this id. */
  | { kind: 'session'; name: string }
  /** By the hash of its id. From one address only: guesses from elsewhere must not lock it. */
  | { kind: 'passkey'; name: string }
  | { kind: 'group' | 'board' | 'application'; name: string };

interface Count {
  key: string;
  limit: number;
}

/**
 * The limit holds for a name from one address; ten times the limit for an address, and for an account from addresses
 * that it does not know: guesses from elsewhere lock nobody out of a known address or a session. Without Redis nobody can
 * log in: otherwise anyone could guess.
 */
export class RefusedLogins {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly limit: number,
  ) {}

  async check(guessed: GuessedLogin, address: string): Promise<void> {
    if (this.limit === 0) return;
    const counts = this.countsOf(guessed, address);
    const limits = counts.map(({ limit }) => limit);
    const waitMs = Number(await this.run(WAIT_SCRIPT, counts, limits));
    if (waitMs > 0) throw new TooMany('too many refused logins; try again later', Math.ceil(waitMs / 1000));
  }

  async count(guessed: GuessedLogin, address: string): Promise<void> {
    if (this.limit > 0) await this.run(COUNT_SCRIPT, this.countsOf(guessed, address), [WINDOW_MS]);
  }

  private countsOf(guessed: GuessedLogin, address: string): Count[] {
    const { limit } = this;
    const wide = limit * WIDE_FACTOR;
    const network = networkOf(address);
    const named = `${guessed.kind}:${hashSecret(usernameKey(guessed.name))}`;
    // Guessing accounts from the operator's address must not lock the board.
    const ofAddress = { key: `${guessed.kind === 'board' ? 'board' : 'api'}:address:${network}`, limit: wide };
    if (guessed.kind === 'session') return [{ key: named, limit }];
    if (guessed.kind === 'passkey') return [{ key: `${named}:${network}`, limit }, ofAddress];
    if (guessed.kind !== 'account') return [{ key: named, limit }, ofAddress];
    if (guessed.isKnown) return [{ key: `known-${named}:${network}`, limit }, ofAddress];
    return [{ key: `${named}:${network}`, limit }, ofAddress, { key: named, limit: wide }];
  }

  private async run(script: string, counts: readonly Count[], args: number[]): Promise<unknown> {
    const keys = counts.map(({ key }) => `${keyPrefix(this.redisPrefix)}:refused-logins:${key}`);
    try {
      return await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.eval(script, keys.length, ...keys, ...args));
    } catch {
      throw new Unavailable();
    }
  }
}
