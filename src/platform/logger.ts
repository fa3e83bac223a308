import { format } from 'node:util';
import pino from 'pino';

/** What the platform needs of a logger; pino's is one. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

/** What MySQL quotes in these messages is a name of its own. In others it may be data. */
const QUOTES_NAMES: ReadonlySet<unknown> = new Set(['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR', 'ER_DATA_TOO_LONG']);

/** What is logged of an error: nothing else that hangs on it, as whole statements with their values do. */
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

/** From now on what a library prints as a warning is a line of the log, as when Sequelize cannot end a transaction. */
export function logPrintedWarnings(logger: Logger): void {
  console.warn = (...printed: unknown[]) => logger.warn({}, withoutData(format(...printed)));
}

/** What may be logged, and shown to operators, of an error. */
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

/** A message without what it quotes, but for the name of a key at its end. */
function withoutData(message: string): string {
  const [key = ''] = / for key '[\w.]+'$/.exec(message) ?? [];
  return message.slice(0, message.length - key.length).replace(/'.*'/s, "'…'") + key;
}

/** Sequelize wraps the error that has the code. */
function codeOf(error: Error): unknown {
  if ('code' in error) return error.code;
  return 'parent' in error && error.parent instanceof Error ? codeOf(error.parent) : undefined;
}
