import type { Socket } from 'node:net';
import type { Connection } from 'mysql2';
import mysql, { type Pool } from 'mysql2/promise';
import { Sequelize } from 'sequelize';
import { untilUnresponsive } from './liveness-watchdog';
import { migrate } from './migrations';
import { connectModels } from './models';
import { isFromServer } from './mysql-errors';
import { MysqlSockets, noAnswer } from './mysql-sockets';
import { ReadPool } from './read-pool';
import { requestStatementBatches } from './statement-batch';
import { leaveUnusableServer } from './unusable-servers';

/**
 * The ways to MySQL: models for the resources, and plain pools for what is read and written in bulk. What must go on while
 * others keep all connections busy has a pool of its own.
 */
export interface Database {
  sequelize: Sequelize;
  /** For passes, deliveries and everything else. */
  pool: Pool;
  /** For what callers read in any width; no statement takes long. */
  reads: ReadPool;
  /** For uploads and the sessions of requests; a statement waits for a locked row for a second only. */
  uploads: Pool;
  /** For the heartbeat alone. */
  heartbeats: Pool;
  /** Brings the schema up to date, over separate connections without time limits. */
  migrate(): Promise<void>;
  /**
   * For a process that ends: once MySQL has not answered for so long, breaks off all connections and opens no more, so that whatever
   * waits for it fails now. Resolves then, or when the database is closed, with whether it did.
   */
  abortOnceUnresponsive(limitMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** How long each side of a connection waits for the other. */
export interface ConnectionTimeouts {
  /**
   * When a process sends nothing for this many seconds during a transaction, MySQL closes its connection and rolls the
   * transaction back: a machine that is paused, or has lost its network, does not keep rows locked.
   */
  pauseSeconds: number;
  /**
   * After this many milliseconds without a response MySQL counts as gone, and the next statement opens a new connection.
   * Clients of the API wait longer than that. For uploads and heartbeats, whose statements are short, it is less.
   */
  answerMs: number;
  shortAnswerMs: number;
  /** How long one statement on the pool for reads may take. */
  readSeconds: number;
}

const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  pauseSeconds: 15,
  answerMs: 20_000,
  shortAnswerMs: 8_000,
  readSeconds: 10,
};

/** For what operators ask: some of it reads whole tables. */
export const PATIENT_TIMEOUTS: ConnectionTimeouts = { ...CONNECTION_TIMEOUTS, answerMs: 3_600_000, pauseSeconds: 600 };

/** How long a statement for reading may take before it counts as a long one. */
const SHORT_READ_SECONDS = 0.5;

/** How long opening a connection may take. */
const CONNECT_MS = 5_000;
/** How long a transaction waits for a locked row; then it is run again, a few times. */
const LOCK_SECONDS = 10;
/** How long an upload waits for a row that somebody else has locked, before others go on without it. */
const UPLOAD_LOCK_SECONDS = 1;
/** Work that may wait for a connection of a pool; what comes then is refused at once, as if MySQL were away. */
const WAITING_PER_POOL = 2_000;
/** Unused connections are closed long before MySQL would mistake them for those of a paused process. */
const IDLE_MS = 5_000;

/** Opens the models and the pools; connections are made when they are first needed. */
export function openDatabase(mysqlUrl: string, timeouts = CONNECTION_TIMEOUTS): Database {
  const sockets = new MysqlSockets();
  const sequelize = connectModels(mysqlUrl, IDLE_MS, sockets.open);
  sequelize.addHook('afterConnect', (connection) => prepareConnection(connection as Connection, timeouts)); // the driver's own
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

/** MariaDB's and MySQL's way to limit the time of a statement; each refuses the other's. */
function readLimits(readSeconds: number): string[] {
  return [`SET SESSION max_statement_time = ${readSeconds}`, `SET SESSION max_execution_time = ${readSeconds * 1000}`];
}

/** Fails when MySQL says nothing; that it has no room for a connection, for instance, is an answer. */
async function requireAnswer(pool: Pool): Promise<void> {
  await pool.query('SELECT 1').catch((error: unknown) => {
    if (!isFromServer(error)) throw error;
  });
}

interface PoolSettings {
  sockets: MysqlSockets;
  size: number;
  timeouts: ConnectionTimeouts;
  /** What each connection begins with; the server must accept one of these statements. */
  session?: readonly string[];
  /** Whether a packet may hold several statements, as transactions send them where the server allows it. */
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
    maxIdle: Math.max(1, size - 1), // the pool closes idle connections only when this is below `connectionLimit`
    idleTimeout: IDLE_MS,
    gracefulEnd: true,
    multipleStatements: takesStatementBatch,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    stream: sockets.open,
  });
  pool.pool.on('connection', (connection) => {
    // All are sent at once, before whatever the connection is wanted for.
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
 * What every connection begins with, sent at once. It also sets the time zone: in a local one an hour comes twice when
 * summer time ends.
 */
async function prepareConnection(
  connection: Connection,
  { pauseSeconds, answerMs }: ConnectionTimeouts,
): Promise<void> {
  leaveUnusableServer(connection);
  const { stream } = connection as Connection & { stream: Socket }; // the driver's types leave it out
  stream.setTimeout(answerMs, () => {
    stream.destroy(noAnswer());
  });
  const session = connection.promise();
  readWhatIsCommitted(connection);
  await session.query(
    `SET SESSION wait_timeout = ${pauseSeconds}, innodb_lock_wait_timeout = ${LOCK_SECONDS}, time_zone = '+00:00'`,
  );
}

/** On a Galera cluster, lets reads wait for what others have committed on other servers. MySQL does not know the variable. */
function readWhatIsCommitted(connection: Connection): void {
  connection
    .promise()
    .query('SET SESSION wsrep_sync_wait = 1')
    .catch(() => undefined);
}
