import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildContainer } from '../container';
import { checkStart } from '../operators/startup-checks';
import { createLogger } from '../platform/logger';
import { runUntilSignal } from '../platform/process';
import type { Shutdown } from '../platform/shutdown';
import { ServerConnections } from './close-server';
import { Draining } from './draining';
import { createHttpServer } from './http-server';

/** A process must end within five seconds, also without MySQL. */
const MYSQL_GONE_MS = 3_000;

/**
 * Migrates, listens, starts the heartbeat. On a signal balancers and clients leave first, then the process stops in the
 * opposite order.
 */
void runUntilSignal('api', async (environment) => {
  const { config, warnings } = await checkStart(environment);
  const logger = createLogger(config.logLevel, 'api');
  for (const warning of warnings) logger.warn({}, warning);
  const container = buildContainer(config, logger);
  await container.prepare();
  const draining = new Draining();
  const server = createHttpServer(container, draining);
  const connections = new ServerConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: config.port, host: config.host }, resolve);
  });
  await container.heartbeat.start();
  container.loadRecorder.start({ samples: true });
  logger.info({ port: (server.address() as AddressInfo).port }, 'listening'); // a TCP server's address is an AddressInfo
  const stop = async (shutdown: Shutdown) => {
    draining.begin();
    await sleep(config.shutdownDelayMs);
    shutdown.begin();
    container.stopWaitingForMysql(MYSQL_GONE_MS);
    const closed = connections.close();
    container.services.streams.stop();
    await shutdown.waitFor(() => `${draining.count} requests; connections of clients: ${connections.count}`, closed);
    await shutdown.waitFor('the last heartbeat', container.heartbeat.stop());
    await shutdown.waitFor('the last counts', container.loadRecorder.stop());
    await container.close(shutdown);
    logger.info({}, 'stopped');
  };
  return { logger, stop };
});
