import pino from 'pino';

/** What the platform needs of a logger; pino's is one. */
export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * What Sequelize and mysql2 hang on their errors: the whole statement, and the values and records in it. Hashes of
 * passwords, signing secrets and personal data do not belong in the log; message, code and stack are enough.
 */
const WITH_VALUES = ['sql', 'parameters', 'fields', 'errors', 'aggregateErrors'];

/** One JSON line per entry, on standard output by default. */
export function createLogger(level: string, process: string, destination?: pino.DestinationStream): Logger {
  const paths = WITH_VALUES.flatMap((key) => [`err.${key}`, `err.*.${key}`]);
  const redact = { paths, remove: true };
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime, redact }, destination);
}
