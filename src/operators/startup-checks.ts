import { type Config, readSettings } from '../platform/config';
import { createLogger } from '../platform/logger';
import { openRedis, RedisClient } from '../queue';
import { checkRedis } from '../queue/check-redis';
import { openDatabase } from '../storage';
import { checkMysql, type Findings } from '../storage/check-mysql';

/**
 * Returns settings and warnings. Otherwise throws one error with a line for each problem of settings, MySQL and Redis.
 */
export async function checkStart(
  environment: Record<string, string | undefined>,
): Promise<{ config: Config; warnings: string[] }> {
  const settings = readSettings(environment);
  const { mysqlUrl, redisUrl } = 'config' in settings ? settings.config : settings.servers;
  const mistakes = 'config' in settings ? [] : settings.mistakes;
  const findings = await Promise.all([mysqlFindings(mysqlUrl), redisFindings(redisUrl)]);
  const problems = [...mistakes, ...findings.flatMap((each) => each.problems)];
  if ('config' in settings && problems.length === 0) {
    return { config: settings.config, warnings: findings.flatMap((each) => each.warnings) };
  }
  throw new Error(`fix these problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

async function mysqlFindings(mysqlUrl: string | undefined): Promise<Findings> {
  if (mysqlUrl === undefined) return { problems: [], warnings: [] };
  const database = openDatabase(mysqlUrl);
  try {
    return await checkMysql(database.pool);
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    return { problems: [`MySQL: it cannot be used (${reason})`], warnings: [] };
  } finally {
    await database.close();
  }
}

async function redisFindings(redisUrl: string | undefined): Promise<Findings> {
  if (redisUrl === undefined) return { problems: [], warnings: [] };
  const redis = new RedisClient(openRedis(redisUrl, createLogger('silent', 'start')));
  return checkRedis(redis).finally(() => redis.close());
}
