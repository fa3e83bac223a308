import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the private instances of `npm start` if the environment names no servers. */
export function withPrivateInstances(environment: Environment, file: string): Environment {
  const { MYSQL_URL, REDIS_URL } = environment;
  if (MYSQL_URL && REDIS_URL) return environment;
  const known = readInstances(file);
  return { ...environment, MYSQL_URL: MYSQL_URL || known.mysqlUrl, REDIS_URL: REDIS_URL || known.redisUrl };
}

function readInstances(file: string): { mysqlUrl?: string; redisUrl?: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // there are none
  }
}
