const LOCK_TIMEOUT = 'ER_LOCK_WAIT_TIMEOUT';

/** Other transactions were in the way, for a moment. */
const TRANSIENT_ERRORS = new Set(['ER_LOCK_DEADLOCK', LOCK_TIMEOUT]);

/** ER_STATEMENT_TIMEOUT of MariaDB, which the driver has no name for, and ER_QUERY_TIMEOUT of MySQL. */
const OVER_TIME: ReadonlySet<unknown> = new Set([1969, 3024]);

/** MySQL is shutting down, or has no room for a connection. */
const SHUTDOWN_ERRORS = new Set([
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
]);

/** The server, MySQL or Redis, cannot be reached: codes of the system and of the driver, names of wrapped errors. */
const CONNECTION_ERRORS =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|PROTOCOL_CONNECTION_LOST|SequelizeConnection\w*|MaxRetriesPerRequestError)$/;

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
  return factsOf(error).some(({ code }) => TRANSIENT_ERRORS.has(code));
}

/** Whether a row stayed locked for longer than the connection waits. */
export function isLockTimeout(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === LOCK_TIMEOUT);
}

/** Whether the transaction was rolled back because others and it waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_LOCK_DEADLOCK');
}

/** Whether a statement took longer than its connection allows, in MariaDB or MySQL. */
export function isOverTime(error: unknown): boolean {
  return factsOf(error).some(({ errno }) => OVER_TIME.has(errno));
}

/** Whether a unique key already has these values. */
export function isDuplicateKey(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_DUP_ENTRY');
}

/** Whether MySQL or Redis is away, is shutting down or has no room, so that the same work succeeds once it is back. */
export function isAway(error: unknown): boolean {
  return factsOf(error).some(
    ({ name, message, code, isClosedConnection }) =>
      isClosedConnection ||
      SHUTDOWN_ERRORS.has(code) ||
      CONNECTION_ERRORS.test(name) ||
      CONNECTION_ERRORS.test(code) ||
      message === 'Connection is closed.',
  );
}

/**
 * Whether the work itself is at fault, so that the same work would fail again: MySQL refused a statement, or our own
 * code failed.
 */
export function isPermanent(error: unknown): boolean {
  const cause = factsOf(error).at(-1);
  if (!cause) return true;
  if (cause.isClosedConnection || TRANSIENT_ERRORS.has(cause.code) || SHUTDOWN_ERRORS.has(cause.code)) return false;
  return cause.code === '' || cause.isFromServer;
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
