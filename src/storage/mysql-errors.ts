const LOCK_TIMEOUT = 'ER_LOCK_WAIT_TIMEOUT';
/** What MySQL and TiDB report for `NOWAIT`, where MariaDB reports a timeout. */
const LOCKED_NOW = 'ER_LOCK_NOWAIT';

/**
 * Other transactions were in the way, for a moment. Galera reports a lost race between two servers as a deadlock, Group
 * Replication (InnoDB Cluster) as a rollback during the commit.
 */
const TRANSIENT_ERRORS = new Set([
  'ER_LOCK_DEADLOCK',
  LOCK_TIMEOUT,
  LOCKED_NOW,
  'ER_CHECKREAD',
  'ER_TABLE_DEF_CHANGED',
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
]);
/** The same of TiDB, for which the driver has no names: write conflicts, and a schema that has just changed. */
const TRANSIENT_NUMBERS: ReadonlySet<unknown> = new Set([8002, 8022, 8028, 9007]);

/** ER_STATEMENT_TIMEOUT of MariaDB, which the driver has no name for, and ER_QUERY_TIMEOUT of MySQL. */
const OVER_TIME: ReadonlySet<unknown> = new Set([1969, 3024]);

/**
 * This server of a cluster may not do the work now, and another one may: it has no majority (Galera reports an unknown
 * command), it joins or leaves, or it is not, or no longer, the one that writes.
 */
const UNFIT_ERRORS = new Set([
  'ER_UNKNOWN_COM_ERROR',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_ERROR_DURING_COMMIT',
  'ER_RUN_HOOK_ERROR',
  'ER_GRP_TRX_CONSISTENCY_NOT_ALLOWED',
  'ER_GRP_TRX_CONSISTENCY_BEFORE',
  'ER_SERVER_ISNT_AVAILABLE',
]);
/** The same of TiDB: the parts behind the server do not answer, or are busy. */
const UNFIT_NUMBERS: ReadonlySet<unknown> = new Set([9001, 9002, 9003, 9004, 9005]);

/** MySQL is shutting down, ends the connection, or has no room for it. */
const SHUTDOWN_ERRORS = new Set([
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
  'ER_TOO_MANY_CONCURRENT_TRXS',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_ABORTING_CONNECTION',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/** The server, MySQL or Redis, cannot be reached: codes of the system and of the driver, names of wrapped errors. */
const CONNECTION_ERRORS =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|PROTOCOL_CONNECTION_LOST|SequelizeConnection\w*|MaxRetriesPerRequestError)$/;

/** Errors without a code: ioredis has closed the connection; as much work as may wait already waits for one of MySQL. */
const GIVEN_UP: ReadonlySet<string> = new Set(['Connection is closed.', 'Queue limit reached.']);

/** Another transaction has done what this one was about to do: it may be run again, as one that lost a race to another server. */
export class Overtaken extends Error {
  readonly code = 'ER_CHECKREAD';
}

/** What errors are classified by. The driver's own error, which has the code, may be wrapped as `parent`. */
interface Facts {
  name: string;
  message: string;
  code: string;
  errno: unknown;
  /** Whether the server refused the statement; false when the connection failed. */
  isFromServer: boolean;
  /** The driver's own error about a connection that is closed. */
  isClosedConnection: boolean;
}

/** Whether the same transaction may succeed when it is run again at once. */
export function isTransient(error: unknown): boolean {
  return factsOf(error).some(isPassing);
}

/** Whether a row stayed locked for longer than the connection, or the statement, waits. */
export function isLockTimeout(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === LOCK_TIMEOUT || code === LOCKED_NOW);
}

/** Whether the transaction was rolled back because others and it waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_LOCK_DEADLOCK');
}

/** Whether a statement took longer than its connection allows, in MariaDB or MySQL. */
export function isOverTime(error: unknown): boolean {
  return factsOf(error).some(({ errno }) => OVER_TIME.has(errno));
}

/** Whether it is MySQL that reports this, so that it answers. */
export function isFromServer(error: unknown): boolean {
  return factsOf(error).some((facts) => facts.isFromServer);
}

/** Whether a unique key already has these values. */
export function isDuplicateKey(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_DUP_ENTRY');
}

/** Whether the result of a computation has no place in its type. */
export function isOutOfRange(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_DATA_OUT_OF_RANGE');
}

/** Whether the transaction is still open, so that its work may go on; after any other error MySQL may have rolled it back. */
export function endsStatementOnly(error: unknown): boolean {
  return isLockTimeout(error) || isDuplicateKey(error);
}

/** Whether the server does not know a setting, as MySQL those of Galera. */
export function isUnknownVariable(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_UNKNOWN_SYSTEM_VARIABLE');
}

/** Whether this server of a cluster cannot do any work now, so that its connections are of no use. */
export function isUnusableServer(error: unknown): boolean {
  return factsOf(error).some(isUnusable);
}

/**
 * Whether MySQL or Redis is away, is shutting down, has no room, or has no server that may write, so that the same work
 * succeeds once it is back.
 */
export function isAway(error: unknown): boolean {
  return factsOf(error).some(
    (facts) =>
      facts.isClosedConnection ||
      isUnusable(facts) ||
      SHUTDOWN_ERRORS.has(facts.code) ||
      CONNECTION_ERRORS.test(facts.name) ||
      CONNECTION_ERRORS.test(facts.code) ||
      GIVEN_UP.has(facts.message),
  );
}

/**
 * Whether the work itself is at fault, so that the same work would fail again: MySQL refused a statement, or our own
 * code failed.
 */
export function isPermanent(error: unknown): boolean {
  const cause = factsOf(error).at(-1);
  if (!cause) return true;
  if (
    cause.isClosedConnection ||
    GIVEN_UP.has(cause.message) ||
    isPassing(cause) ||
    isUnusable(cause) ||
    SHUTDOWN_ERRORS.has(cause.code)
  )
    return false;
  return cause.code === '' || cause.isFromServer;
}

function isPassing({ code, errno }: Facts): boolean {
  return TRANSIENT_ERRORS.has(code) || TRANSIENT_NUMBERS.has(errno);
}

function isUnusable({ code, errno }: Facts): boolean {
  return UNFIT_ERRORS.has(code) || UNFIT_NUMBERS.has(errno);
}

/** The facts of an error and of those that it wraps, outermost first. */
function factsOf(error: unknown): Facts[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? String(error.code) : '';
  const errno = 'errno' in error ? error.errno : undefined;
  const isFromServer = 'sqlState' in error;
  const isClosedConnection = 'fatal' in error && error.fatal === true && !isFromServer;
  const parent = 'parent' in error && error.parent !== error ? factsOf(error.parent) : [];
  return [{ name: error.name, message: error.message, code, errno, isFromServer, isClosedConnection }, ...parent];
}
