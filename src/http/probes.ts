import type { Express } from 'express';
import type { Container } from '../container';
import { isMigrated } from '../migrations';
import { withTimeout } from '../with-timeout';

const READY_TIMEOUT_MS = 2_000;

/** `/healthz`: the process lives. `/readyz`: MySQL and Redis answer, migrations are done. `/metrics`: Prometheus, workers too. */
export function installProbes(app: Express, { database, redis, metrics, sharedMetrics }: Container): void {
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const [mysql, migrations, redisAnswers] = await Promise.all([
      succeeds(database.pool.query('SELECT 1')),
      succeeds(isMigrated(database.sequelize).then((done) => done || Promise.reject(new Error('pending')))),
      succeeds(redis.ping()),
    ]);
    const ready = mysql && migrations && redisAnswers;
    if (!ready) response.setHeader('Retry-After', '1');
    response
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', mysql, migrations, redis: redisAnswers });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await sharedMetrics.show());
  });
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(READY_TIMEOUT_MS, work).then(
    () => true,
    () => false,
  );
}
