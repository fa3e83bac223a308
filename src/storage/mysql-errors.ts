const LOCK_TIMEOUT = 'ER_LOCK_WAIT_TIMEOUT';
/** MySQL's and TiDB's error for `NOWAIT`; MariaDB reports a timeout. */
const LOCKED_NOW = 'ER_LOCK_NOWAIT';

/** Galera reports a race lost to another server as a deadlock, Group Replication as a rollback during the commit. */
const TRANSIENT_ERRORS = new Set([
  'ER_LOCK_DEADLOCK',
  LOCK_TIMEOUT,
  LOCKED_NOW,
  'ER_CHECKREAD',
  'ER_TABLE_DEF_CHANGED',
  'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
]);
/** TiDB, nameless in the driver: write conflicts, and a schema that has just changed. */
const TRANSIENT_NUMBERS: ReadonlySet<unknown> = new Set([8002, 8022, 8028, 9007]);

/** ER_STATEMENT_TIMEOUT of MariaDB, nameless in the driver, and ER_QUERY_TIMEOUT of MySQL. */
const OVER_TIME: ReadonlySet<unknown> = new Set([1969, 3024]);

/** Another server of the cluster may do the work. Galera reports a lost majority as an unknown command. */
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
/** TiDB: the components behind the server do not answer, or are busy. */
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

/** MySQL or Redis cannot be reached: codes of the system and the driver, names of wrapped errors. */
const CONNECTION_ERRORS =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|PROTOCOL_CONNECTION_LOST|SequelizeConnection\w*|MaxRetriesPerRequestError)$/;

/** A closed connection of ioredis, and a full queue for a MySQL connection, have no code. */
const GIVEN_UP: ReadonlySet<string> = new Set(['Connection is closed.', 'Queue limit reached.']);

/** Another transaction has done the work of this one. May be retried. */
export class Overtaken extends Error {
  readonly code = 'ER_CHECKREAD';
}

interface Facts {
  name: string;
  message: string;
  code: string;
  errno: unknown;
  isFromServer: boolean;
  /** The driver's own error. */
  isClosedConnection: boolean;
}

/** An immediate retry of the transaction may succeed. */
export function isTransient(error: unknown): boolean {
  return factsOf(error).some(isPassing);
}

/** A row stayed locked for longer than the connection or statement waits. */
export function isLockTimeout(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === LOCK_TIMEOUT || code === LOCKED_NOW);
}

export function isDeadlock(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_LOCK_DEADLOCK');
}

/** MariaDB and MySQL have different errors. */
export function isOverTime(error: unknown): boolean {
  return factsOf(error).some(({ errno }) => OVER_TIME.has(errno));
}

/** MySQL reported the error, so it is reachable. */
export function isFromServer(error: unknown): boolean {
  return factsOf(error).some((facts) => facts.isFromServer);
}

export function isDuplicateKey(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_DUP_ENTRY');
}

/** A result is out of range for its type. */
export function isOutOfRange(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_DATA_OUT_OF_RANGE');
}

/** The transaction is still open. After any other error MySQL may have rolled it back. */
export function endsStatementOnly(error: unknown): boolean {
  return isLockTimeout(error) || isDuplicateKey(error);
}

/** The server does not know a setting, as MySQL those of Galera. */
export function isUnknownVariable(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_UNKNOWN_SYSTEM_VARIABLE');
}

/** MySQL does not know a table or a column. */
export function isUnknownName(error: unknown): boolean {
  return factsOf(error).some(({ code }) => code === 'ER_NO_SUCH_TABLE' || code === 'ER_BAD_FIELD_ERROR');
}

/** The cluster's server cannot work now: its connections are unusable. */
export function isUnusableServer(error: unknown): boolean {
  return factsOf(error).some(isUnusable);
}

/** True for a full or read-only server as well: the work succeeds once it is back. */
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

/** The work itself would fail again: MySQL refused a statement, or our code failed. */
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

/** Returns wrapped errors as well, outermost first. */
function factsOf(error: unknown): Facts[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? String(error.code) : '';
  const errno = 'errno' in error ? error.errno : undefined;
  const isFromServer = 'sqlState' in error;
  const isClosedConnection = 'fatal' in error && error.fatal === true && !isFromServer;
  const parent = 'parent' in error && error.parent !== error ? factsOf(error.parent) : [];
  return [{ name: error.name, message: error.message, code, errno, isFromServer, isClosedConnection }, ...parent];
}
