import type { Controller } from '@tsoa/runtime';
import type { Redis } from 'ioredis';
import { closeQueues, openQueues, type Queues } from '../jobs/queues';
import { buildChannels } from './channels';
import { type Clock, systemClock } from './clock';
import type { Config } from './config';
import { type Database, openDatabase } from './database';
import { Doorbells } from './doorbells';
import type { Logger } from './logger';
import { openRedis } from './redis';

export type ControllerFactories = ReadonlyMap<new (...args: never[]) => Controller, () => Controller>;

/** Everything that is built once per process. */
export interface Container {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  redis: Redis;
  queues: Queues;
  doorbells: Doorbells;
  channels: ReturnType<typeof buildChannels>;
  controllers: ControllerFactories;
  /** Closes queues, channels, Redis, then MySQL. */
  close(): Promise<void>;
}

/** The composition root: the only place where services, queues and channels are made. Nothing is started. */
export function buildContainer(config: Config, logger: Logger, clock: Clock = systemClock): Container {
  const database = openDatabase(config.mysqlUrl);
  const redis = openRedis(config.redisUrl, logger);
  const queues = openQueues(redis, config.redisPrefix);
  const doorbells = new Doorbells(queues, logger);
  const channels = buildChannels(
    {
      smtpUrl: config.smtpUrl,
      mailFrom: config.mailFrom,
      dataDir: config.dataDir,
      allowNetworks: config.deliveryAllowNetworks,
    },
    { logger, clock },
  );

  const controllers: ControllerFactories = new Map<new (...args: never[]) => Controller, () => Controller>([]);

  const close = async () => {
    await closeQueues(queues);
    await channels.close();
    await redis.quit().catch(() => redis.disconnect());
    await database.close();
  };
  return { config, clock, logger, database, redis, queues, doorbells, channels, controllers, close };
}
