import type { Express } from 'express';
import type { Container } from '../container';
import { isMigrated } from '../migrations';
import { withTimeout } from '../with-timeout';
import type { Draining } from './draining';

const READY_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: MySQL and Redis answer, all migrations are applied, and the process is not about
 * to end. `/metrics`: metrics of this process and the workers, in the format of Prometheus.
 */
export function installProbes(
  app: Express,
  { database, redisClient, metrics, sharedMetrics }: Container,
  draining: Draining,
): void {
  const checkMysql = buildCheck(() => database.pool.query('SELECT 1'));
  const checkMigrations = buildCheck(async () => {
    if (!(await isMigrated(database.sequelize))) throw new Error('migrations are pending');
  });
  const checkRedis = buildCheck(() => redisClient.ask(READY_TIMEOUT_MS, (redis) => redis.ping()));
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const [mysql, migrations, redisAnswers] = await Promise.all([checkMysql(), checkMigrations(), checkRedis()]);
    const isReady = mysql && migrations && redisAnswers && !draining.isUnderWay;
    const status = draining.isUnderWay ? 'stopping' : isReady ? 'ready' : 'not ready';
    if (!isReady) response.setHeader('Retry-After', '1');
    response.status(isReady ? 200 : 503).json({ status, mysql, migrations, redis: redisAnswers });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await sharedMetrics.show());
  });
}

/**
 * A check that answers within two seconds whether its work succeeded. Probes that come while the work is under way
 * share it, however long it takes: a server that does not answer is not asked a second time.
 */
function buildCheck(work: () => Promise<unknown>): () => Promise<boolean> {
  let underWay: Promise<unknown> | undefined;
  return async () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return withTimeout(READY_TIMEOUT_MS, underWay).then(
      () => true,
      () => false,
    );
  };
}
