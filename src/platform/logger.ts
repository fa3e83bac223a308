import { format } from 'node:util';
import pino from 'pino';

/** The logger interface of the platform, a subset of pino's. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** In these messages MySQL quotes its own names. In others it may quote data. */
const QUOTES_NAMES: ReadonlySet<unknown> = new Set(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR', 'ER_DATA_TOO_LONG']);

/** The logged part of an error. Leaves out everything attached to it, such as whole statements with their values. */
export interface LoggedError {
  type: string;
  message: string;
  stack: string;
  code?: string;
}

/** One JSON line per entry, on standard output by default. */
export function createLogger(level: string, process: string, destination?: pino.DestinationStream): Logger {
  const serializers = { err: toLogged };
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime, serializers }, destination);
}

/** Redirects warnings that libraries print to the log, for instance when Sequelize cannot end a transaction. */
export function logPrintedWarnings(logger: Logger): void {
  console.warn = (...printed: unknown[]) => logger.warn({}, withoutData(format(...printed)));
}

/** The part of an error that may be logged and shown to operators. */
export function toLogged(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return typeof error;
  const isFromMysql = 'sqlState' in error || 'sql' in error || 'parent' in error;
  const isSafe = !isFromMysql || QUOTES_NAMES.has(codeOf(error));
  const message = isSafe ? error.message : withoutData(error.message);
  const [frames = ''] = /\n {4}at [\s\S]*/.exec(error.stack ?? '') ?? [];
  return {
    type: error.name,
    message,
    stack: `${error.name}: ${message}${frames}`,
    ...(codeOf(error) !== undefined && { code: String(codeOf(error)) }),
  };
}

/** A message without the data that it quotes, except for the name of a key at its end. */
function withoutData(message: string): string {
  const [key = ''] = / for key '[\w.]+'$/.exec(message) ?? [];
  return message.slice(0, message.length - key.length).replace(/'.*'/s, "'…'") + key;
}

/** Sequelize wraps the error that has the code. */
function codeOf(error: Error): unknown {
  if ('code' in error) return error.code;
  return 'parent' in error && error.parent instanceof Error ? codeOf(error.parent) : undefined;
}
