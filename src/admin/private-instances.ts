import { readFileSync } from 'node:fs';
import { namesSecret } from '../platform/secret-files';

type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the private instances of `npm start` if the environment names no servers. */
export function withPrivateInstances(environment: Environment, file: string): Environment {
  const namesMysql = namesSecret(environment, 'MYSQL_URL');
  const namesRedis = namesSecret(environment, 'REDIS_URL');
  if (namesMysql && namesRedis) return environment;
  const known = readInstances(file);
  return {
    ...environment,
    ...(namesMysql ? {} : { MYSQL_URL: known.mysqlUrl }),
    ...(namesRedis ? {} : { REDIS_URL: known.redisUrl }),
  };
}

function readInstances(file: string): { mysqlUrl?: string; redisUrl?: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // there are none
  }
}
