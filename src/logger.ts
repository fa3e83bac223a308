import pino from 'pino';

/** What the platform needs of a logger; pino's is one. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** One JSON line per entry on standard output. */
export function createLogger(level: string, process: string): Logger {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
