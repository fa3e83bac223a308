import type { Pool } from 'mysql2/promise';
import { closeQueues } from '../../jobs/queues';
import { closeChannels, type Deliveries } from '../notifications';
import { Shutdown } from '../platform/shutdown';
import { withTimeout } from '../platform/with-timeout';
import { repartitionInbox } from '../points';
import type { Ground } from './ground';

const CLOSE_QUEUES_MS = 2_000;

/** How a process begins, stays in time, and ends. */
export function lifecycle(base: Ground & Deliveries, streams: { stop(): void }) {
  const { config, logger, database, serverTime, layout, dataFolder, decisionLog, queues, channels } = base;
  const synchronize = (connection: Pick<Pool, 'query'>) => serverTime.synchronize(connection);
  return {
    /** Closes the data folder to other users, and brings schema and waiting rows up to date. Call before any work. */
    prepare: async () => {
      await dataFolder.open();
      await database.migrate();
      await synchronize(database.pool);
      await base.quarantine.refresh();
      await layout.change(database.pool, config.partitions);
      await repartitionInbox(database.pool, layout.count);
    },
    /** Sets the clock by MySQL, and reads the partition count and the quarantine. */
    synchronize: async () => {
      await synchronize(database.pool);
      await base.quarantine.refresh();
    },
    /** All waits for MySQL fail, with a line in the log, once it has not answered for this long. */
    stopWaitingForMysql: (limitMs: number) => {
      void database.abortOnceUnresponsive(limitMs).then((isGone) => {
        if (isGone) logger.warn({}, 'MySQL does not answer; nothing waits for it any more');
      });
    },
    /** Ends streams, stores the last decisions, then closes queues, channels, mail connections, Redis and MySQL. */
    close: async (shutdown = new Shutdown(logger)) => {
      streams.stop();
      base.lone.close();
      dataFolder.stop();
      await shutdown.waitFor('Redis, to store decisions', decisionLog.flush());
      const queuesClosed = withTimeout(CLOSE_QUEUES_MS, closeQueues(queues)).catch(() => undefined); // Redis may be away
      await shutdown.waitFor('the queues in Redis', queuesClosed);
      await shutdown.waitFor('connections to receivers', closeChannels(channels));
      await shutdown.waitFor('the mail server', base.mailTransport.close());
      await shutdown.waitFor('MySQL, to record refused attempts', base.refusedAttempts.flush());
      await shutdown.waitFor('the connection to Redis', base.redisClient.close());
      await shutdown.waitFor('connections to MySQL', database.close());
    },
  };
}
