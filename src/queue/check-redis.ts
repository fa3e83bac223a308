import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClient } from '.';

const LEAST_VERSION = [6, 2] as const;
const WAIT_MS = 2_000;
const POLL_MS = 20;

/** An unreachable Redis prevents no start: it only causes delays. */
export async function checkRedis(
  redis: Pick<RedisClient, 'isReady' | 'ask'>,
): Promise<{ problems: string[]; warnings: string[] }> {
  const until = performance.now() + WAIT_MS;
  while (!redis.isReady && performance.now() < until) await sleep(POLL_MS);
  try {
    const info = await redis.ask(WAIT_MS, (connection) => connection.info());
    const facts = new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
    return { problems: [...versionProblems(facts), ...evictionProblems(facts)], warnings: evictionWarnings(facts) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      problems: [],
      warnings: [`Redis: not reached (${reason}); uploads are stored and evaluated once it is there`],
    };
  }
}

function versionProblems(facts: ReadonlyMap<string, string>): string[] {
  const version = facts.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor >= LEAST_VERSION[1])) return [];
  return [`Redis: this is version ${version}; it must be Redis 6.2 or Valkey, or later`];
}

function evictionProblems(facts: ReadonlyMap<string, string>): string[] {
  const policy = facts.get('maxmemory_policy') ?? '';
  if (!policy.startsWith('allkeys') || isUnlimited(facts)) return [];
  return [`Redis: maxmemory-policy is ${policy}; it must be noeviction, or jobs are lost in part`];
}

function evictionWarnings(facts: ReadonlyMap<string, string>): string[] {
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction' || evictionProblems(facts).length > 0) return [];
  return [`Redis: maxmemory-policy is ${policy}; it should be noeviction`];
}

function isUnlimited(facts: ReadonlyMap<string, string>): boolean {
  return facts.get('maxmemory') === '0';
}
