import type { Request, Response } from 'express';
import type { Container } from '../container';
import { InvalidToken } from '../platform/errors';
import { isSameSecret } from '../platform/secrets';
import { withTimeout } from '../platform/with-timeout';
import { isMigrated } from '../storage/migrations';
import type { Draining } from './draining';
import { readBearerHeader } from './middlewares/session-token';

/** Answers operators' tools. */
export type Probe = (request: Request, response: Response) => void | Promise<void>;

const READY_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: MySQL and Redis answer, migrations are applied, the process does not end.
 * `/metrics`: this process and the workers, with `METRICS_TOKEN` if set. One spelling each, so that no other bypasses a
 * proxy's rule.
 */
export function buildProbes(
  container: Container,
  draining: Draining,
): (method: string, path: string) => Probe | undefined {
  const probes: ReadonlyMap<string, Probe> = new Map([
    ['/healthz', (_request, response) => void response.json({ status: 'ok' })],
    ['/readyz', readiness(container, draining)],
    ['/metrics', metricsOf(container)],
  ]);
  return (method, path) => (method === 'GET' || method === 'HEAD' ? probes.get(path) : undefined);
}

function readiness({ database, redisClient }: Container, draining: Draining): Probe {
  const checkMysql = buildCheck(() => database.pool.query('SELECT 1'));
  const checkMigrations = buildCheck(async () => {
    if (!(await isMigrated(database.sequelize))) throw new Error('migrations are pending');
  });
  const checkRedis = buildCheck(() => redisClient.ask(READY_TIMEOUT_MS, (redis) => redis.ping()));
  return async (_request, response) => {
    const [mysql, migrations, redisAnswers] = await Promise.all([checkMysql(), checkMigrations(), checkRedis()]);
    const isReady = mysql && migrations && redisAnswers && !draining.isUnderWay;
    const status = draining.isUnderWay ? 'stopping' : isReady ? 'ready' : 'not ready';
    if (!isReady) response.setHeader('Retry-After', '1');
    response.status(isReady ? 200 : 503).json({ status, mysql, migrations, redis: redisAnswers });
  };
}

function metricsOf({ config, metrics, sharedMetrics }: Container): Probe {
  return async (request, response) => {
    requireToken(request, config.metricsToken);
    response.type(metrics.registry.contentType).send(await sharedMetrics.show());
  };
}

function requireToken(request: Request, expected: string | undefined): void {
  if (expected === undefined || isSameSecret(readBearerHeader(request.headers) ?? '', expected)) return;
  throw new InvalidToken('the metrics require their token (METRICS_TOKEN)');
}

/** Answers within two seconds. Concurrent probes share one run: a server that does not answer is not asked twice. */
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
