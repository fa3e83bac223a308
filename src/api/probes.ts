import type { Request, Response } from 'express';
import type { Container } from '../container';
import { InvalidToken } from '../platform/errors';
import { isSameSecret } from '../platform/secrets';
import { withTimeout } from '../platform/with-timeout';
import { isMigrated } from '../storage/migrations';
import type { Draining } from './draining';
import { readBearerHeader } from './middlewares/session-token';

/** Answers a request of an operator's tool. */
export type Probe = (request: Request, response: Response) => void | Promise<void>;

const READY_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: MySQL and Redis answer, all migrations are applied, and the process is not
 * about to end. `/metrics`: metrics of this process and the workers, in the format of Prometheus, with `METRICS_TOKEN`
 * if there is one. Each has exactly one spelling, so that a proxy's rule about it cannot be bypassed by another.
 */
export function buildProbes(container: Container, draining: Draining): (request: Request) => Probe | undefined {
  const probes: ReadonlyMap<string, Probe> = new Map([
    ['/healthz', (_request, response) => void response.json({ status: 'ok' })],
    ['/readyz', readiness(container, draining)],
    ['/metrics', metricsOf(container)],
  ]);
  return ({ method, url }) => {
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead ? probes.get(url.split('?', 1)[0] ?? '') : undefined;
  };
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

/**
 * A check that answers within two seconds whether its work succeeded. Concurrent probes share one run of the work,
 * however long it takes: a server that does not answer is not asked twice.
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
