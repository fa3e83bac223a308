import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildContainer } from './container';
import { Draining } from './http/draining';
import { createHttpServer } from './http/http-server';
import { createLogger } from './logger';
import { runUntilSignal } from './process';
import { checkStart } from './startup-checks';

/** How long requests may take that are under way when the process stops listening. */
const DRAIN_MS = 10_000;

/**
 * The HTTP process: migrate, listen, start the heartbeat; on a signal let balancers and clients leave first, then stop in
 * the opposite order.
 */
void runUntilSignal('api', async (environment) => {
  const { config, warnings } = await checkStart(environment);
  const logger = createLogger(config.logLevel, 'api');
  for (const warning of warnings) logger.warn({}, warning);
  const container = buildContainer(config, logger);
  await container.prepare();
  const draining = new Draining();
  const server = createHttpServer(container, draining);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: config.port, host: config.host }, resolve);
  });
  await container.heartbeat.start();
  logger.info({ port: (server.address() as AddressInfo).port }, 'listening'); // a TCP server's address is an AddressInfo
  return async () => {
    draining.begin();
    await sleep(config.shutdownDelayMs);
    const closed = new Promise((resolve) => server.close(resolve));
    container.services.streams.stop();
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearTimeout(cut);
    await container.heartbeat.stop();
    await container.close();
    logger.info({}, 'stopped');
  };
});
