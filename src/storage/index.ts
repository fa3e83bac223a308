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

/**
 * Access to MySQL: models for the resources, and plain pools for bulk reads and writes. Work that must continue while
 * other work uses all connections has a separate pool.
 */
export interface Database {
  sequelize: Sequelize;
  /** For passes, deliveries and everything else. */
  pool: Pool;
  /** For reads of any size by callers. Its statements have a time limit. */
  reads: ReadPool;
  /** For the sensors of selectors. Its statements have a short time limit. */
  selections: Pool;
  /** For uploads and the sessions of requests. A statement waits only a second for a locked row. */
  uploads: Pool;
  /** For the heartbeat alone. */
  heartbeats: Pool;
  /** Brings the schema up to date, over separate connections without time limits. */
  migrate(): Promise<void>;
  /**
   * For a process that is shutting down: once MySQL has not answered for `limitMs`, closes all connections and opens no
   * more, so that all pending work fails now. Resolves then, or when the database is closed. The result is true if it
   * closed the connections.
   */
  abortOnceUnresponsive(limitMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** How long each side of a connection waits for the other. */
export interface ConnectionTimeouts {
  /**
   * If a process sends nothing for this many seconds during a transaction, MySQL closes its connection and rolls the
   * transaction back: a machine that is suspended, or has lost its network, does not keep rows locked.
   */
  pauseSeconds: number;
  /**
   * After this many milliseconds without a response, MySQL counts as unreachable, and the next statement opens a new
   * connection. Clients of the API wait longer than that. Uploads and heartbeats, whose statements are short, use the
   * shorter limit.
   */
  answerMs: number;
  shortAnswerMs: number;
  /** Maximum duration of one statement on the pool for reads. */
  readSeconds: number;
}

const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  pauseSeconds: 15,
  answerMs: 20_000,
  shortAnswerMs: 8_000,
  readSeconds: 10,
};

/** For operators' queries, some of which read whole tables. */
export const PATIENT_TIMEOUTS: ConnectionTimeouts = { ...CONNECTION_TIMEOUTS, answerMs: 3_600_000, pauseSeconds: 600 };

/** Maximum time for opening a connection. */
const CONNECT_MS = 5_000;
/** Unused connections are closed long before MySQL would mistake them for connections of a suspended process. */
const IDLE_MS = 5_000;

/** Opens the models and the pools. Connections are made when first needed. */
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

/** The statements of MariaDB and MySQL that limit the time of a statement. Each server rejects the other's. */
function readLimits(readSeconds: number): string[] {
  return [`SET SESSION max_statement_time = ${readSeconds}`, `SET SESSION max_execution_time = ${readSeconds * 1000}`];
}

/**
 * Fails if MySQL does not answer. An error from MySQL, for instance that it has no room for a connection, is an answer.
 */
async function requireAnswer(pool: Pool): Promise<void> {
  await pool.query('SELECT 1').catch((error: unknown) => {
    if (!isFromServer(error)) throw error;
  });
}

interface PoolSettings {
  sockets: MysqlSockets;
  size: number;
  timeouts: ConnectionTimeouts;
  /** Statements for each new connection; the server must accept one of them. */
  session?: readonly string[];
  /** True if a packet may hold several statements, as transactions send them where the server allows it. */
  takesStatementBatch?: boolean;
}

/** Every connection of the pool is READ COMMITTED. */
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
    // All are sent at once, before the first statement of the caller.
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

/**
 * Initialises a connection, with all statements sent at once. It also sets the time zone: in a local one, an hour
 * occurs twice when summer time ends.
 */
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

/** On a Galera cluster, makes reads wait for commits on other servers. MySQL does not know the variable. */
function readWhatIsCommitted(connection: Connection): void {
  connection
    .promise()
    .query('SET SESSION wsrep_sync_wait = 1')
    .catch(() => undefined);
}
