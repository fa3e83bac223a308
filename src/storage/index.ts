import type { Socket } from 'node:net';
import type { Connection } from 'mysql2';
import mysql, { type Pool } from 'mysql2/promise';
import { Sequelize } from 'sequelize';
import { LOCK_SECONDS, SELECTION_SECONDS, SHORT_READ_SECONDS, UPLOAD_LOCK_SECONDS, WAITING_PER_POOL } from './knobs';
import { untilUnresponsive } from './liveness-watchdog';
import { migrate } from './migrations';
import { connectModels } from './models';
import { isFromServer } from './mysql-errors';
import { leaveUnusableServer, MysqlSockets, noAnswer } from './mysql-sockets';
import { requestStatementBatches } from './pipeline';
import { ReadPool } from './read-pool';

/** Work that must continue while other work uses all connections has a separate pool. */
export interface Database {
  sequelize: Sequelize;
  pool: Pool;
  reads: ReadPool;
  selections: Pool;
  /** Waits only a second for a locked row. */
  uploads: Pool;
  /** Heartbeats only. */
  heartbeats: Pool;
  migrate(): Promise<void>;
  /**
   * Ends waits at a shutdown: once MySQL has not answered for `limitMs`, closes all connections so that pending work
   * fails, and resolves to true; to false when the database is closed.
   */
  abortOnceUnresponsive(limitMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** How long each side of a connection waits for the other. */
export interface ConnectionTimeouts {
  /** MySQL rolls back transactions of suspended machines. */
  pauseSeconds: number;
  /** Without a response for so long, MySQL counts as unreachable. Clients of the API wait longer. */
  answerMs: number;
  shortAnswerMs: number;
  readSeconds: number;
}

const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  pauseSeconds: 15,
  answerMs: 20_000,
  shortAnswerMs: 8_000,
  readSeconds: 10,
};

/** Operators' queries may read whole tables. */
export const PATIENT_TIMEOUTS: ConnectionTimeouts = { ...CONNECTION_TIMEOUTS, answerMs: 3_600_000, pauseSeconds: 600 };

const CONNECT_MS = 5_000;
/** Long before MySQL would mistake unused connections for those of a suspended process. */
const IDLE_MS = 5_000;

/** Connections are made when first needed. */
export function openDatabase(mysqlUrl: string, timeouts = CONNECTION_TIMEOUTS): Database {
  const sockets = new MysqlSockets();
  const sequelize = connectModels(mysqlUrl, IDLE_MS, sockets.open);
  // The cast is safe: the hook gets the driver's own connection.
  sequelize.addHook('afterConnect', (connection) => prepareConnection(connection as Connection, timeouts));
  const quick = { ...timeouts, answerMs: timeouts.shortAnswerMs };
  const open = (size: number, ...session: string[]) => openPool(mysqlUrl, { sockets, size, timeouts, session });
  const patience = `SET SESSION innodb_lock_wait_timeout = ${UPLOAD_LOCK_SECONDS}`;
  const interrupts = open(1);
  const pools = {
    pool: openPool(mysqlUrl, { sockets, size: 8, timeouts, takesStatementBatch: true }),
    reads: new ReadPool({
      short: open(4, ...readLimits(SHORT_READ_SECONDS)),
      long: open(6, ...readLimits(timeouts.readSeconds)),
      interrupts,
    }),
    selections: open(2, ...readLimits(SELECTION_SECONDS)),
    uploads: openPool(mysqlUrl, { sockets, size: 4, timeouts: quick, session: [patience], takesStatementBatch: true }),
    heartbeats: openPool(mysqlUrl, { sockets, size: 1, timeouts: quick, takesStatementBatch: true }),
  };
  const closed = new AbortController();
  return {
    sequelize,
    ...pools,
    migrate: () => migrateUnlimited(mysqlUrl),
    abortOnceUnresponsive: async (limitMs) => {
      const isGone = await untilUnresponsive(() => requireAnswer(interrupts), limitMs, closed.signal);
      if (isGone) sockets.breakOff();
      return isGone;
    },
    close: async () => {
      try {
        await sequelize.close();
        await Promise.all(Object.values(pools).map((pool) => pool.end()));
      } catch (error) {
        if (!sockets.areBrokenOff) throw error;
      } finally {
        closed.abort();
      }
    },
  };
}

async function migrateUnlimited(mysqlUrl: string): Promise<void> {
  const unlimited = new Sequelize(mysqlUrl, { dialect: 'mysql', logging: false });
  unlimited.addHook('afterConnect', (connection) => readWhatIsCommitted(connection as Connection)); // the driver's own
  await migrate(unlimited).finally(() => unlimited.close());
}

function readLimits(readSeconds: number): string[] {
  return [`SET SESSION max_statement_time = ${readSeconds}`, `SET SESSION max_execution_time = ${readSeconds * 1000}`];
}

/** Fails if MySQL does not answer. An error from MySQL is an answer. */
async function requireAnswer(pool: Pool): Promise<void> {
  await pool.query('SELECT 1').catch((error: unknown) => {
    if (!isFromServer(error)) throw error;
  });
}

interface PoolSettings {
  sockets: MysqlSockets;
  size: number;
  timeouts: ConnectionTimeouts;
  session?: readonly string[];
  /** True if a packet may hold several statements, where the server allows it. */
  takesStatementBatch?: boolean;
}

/** Connections are READ COMMITTED. */
function openPool(
  uri: string,
  { sockets, size, timeouts, session = [], takesStatementBatch = false }: PoolSettings,
): Pool {
  const pool = mysql.createPool({
    uri,
    connectionLimit: size,
    queueLimit: WAITING_PER_POOL,
    connectTimeout: CONNECT_MS,
    maxIdle: Math.max(1, size - 1), // the pool closes idle connections only if this is below `connectionLimit`
    idleTimeout: IDLE_MS,
    gracefulEnd: true,
    multipleStatements: takesStatementBatch,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    stream: sockets.open,
  });
  pool.pool.on('connection', (connection) => {
    const needed = [
      prepareConnection(connection, timeouts),
      connection.promise().query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'),
    ];
    const accepted = session.map((statement) => connection.promise().query(statement));
    Promise.all([...needed, accepted.length > 0 ? Promise.any(accepted) : undefined]).catch(() => connection.destroy());
    if (takesStatementBatch) requestStatementBatches(connection);
  });
  return pool;
}

/** Sends all statements at once. Sets UTC: a local hour occurs twice when summer time ends. */
async function prepareConnection(
  connection: Connection,
  { pauseSeconds, answerMs }: ConnectionTimeouts,
): Promise<void> {
  leaveUnusableServer(connection);
  const { stream } = connection as Connection & { stream: Socket }; // the driver's types omit it
  stream.setTimeout(answerMs, () => {
    stream.destroy(noAnswer());
  });
  const session = connection.promise();
  readWhatIsCommitted(connection);
  await session.query(
    `SET SESSION wait_timeout = ${pauseSeconds}, innodb_lock_wait_timeout = ${LOCK_SECONDS}, time_zone = '+00:00'`,
  );
}

/** A Galera cluster has this variable, MySQL does not know it. */
function readWhatIsCommitted(connection: Connection): void {
  connection
    .promise()
    .query('SET SESSION wsrep_sync_wait = 1')
    .catch(() => undefined);
}
