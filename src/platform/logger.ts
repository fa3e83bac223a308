import { format } from 'node:util';
import pino from 'pino';

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** MySQL quotes its own names in these messages, and may quote data in others. */
const QUOTES_NAMES: ReadonlySet<unknown> = new Set(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR', 'ER_DATA_TOO_LONG']);

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

/** Sequelize prints a warning if it cannot end a transaction, for instance. */
export function logPrintedWarnings(logger: Logger): void {
  console.warn = (...printed: unknown[]) => logger.warn({}, withoutData(format(...printed)));
}

/** Leaves out what is attached to an error, such as statements with values. */
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

function withoutData(message: string): string {
  const [key = ''] = / for key '[\w.]+'$/.exec(message) ?? [];
  return message.slice(0, message.length - key.length).replace(/'.*'/s, "'…'") + key;
}

function codeOf(error: Error): unknown {
  if ('code' in error) return error.code;
  return 'parent' in error && error.parent instanceof Error ? codeOf(error.parent) : undefined;
}
