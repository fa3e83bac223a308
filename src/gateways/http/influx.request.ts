import { bytesOf } from '../../edge/body-bytes';
import { BrokenText, readTextInLines, type TextInLines, UnknownCharset } from '../../edge/bytes-as-text';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { isPrecision, type Precision } from '../protocols/line-protocol';

/** The parameters of a write that count. All others (`bucket`, `org`, `db`, `rp`, `consistency`) may have any value. */
export interface WriteQuery {
  precision?: string;
}

/** Whether an answer without a body will do. */
export interface PingQuery {
  verbose?: string;
}

/** A statement of InfluxQL. */
export interface StatementQuery {
  q?: string;
  /** The database that the client wants. */
  db?: string;
}

/** The lines of a write, and the unit of their times. */
export interface Write {
  lines: TextInLines;
  precision: Precision;
}

/** Reads a write; 415 for a charset that is not read. */
export function readWrite({ precision = 'ns' }: WriteQuery, body: object): Write {
  if (!isPrecision(precision)) throw InvalidInput.field('precision', 'must be ns, us, ms, s, n, u, m or h');
  const { bytes, charset } = bytesOf(body);
  try {
    return { lines: readTextInLines(bytes, charset), precision };
  } catch (error) {
    if (error instanceof UnknownCharset) throw new PlatformError(415, 'unreadable_charset', error.message);
    if (error instanceof BrokenText) throw new InvalidInput(`the body ${error.message}`, undefined, 'broken_encoding');
    throw error;
  }
}

/** Any value but these asks for a body, as InfluxDB 1 reads it. */
export function isVerbose({ verbose = '' }: PingQuery): boolean {
  return !['', '0', 'false'].includes(verbose);
}

/** The database that is shown to clients that name none. */
const DATABASE = 'sensors';

/**
 * Answers the statements with which clients begin: the database that they want is there, and nothing else is. InvalidInput
 * for all others.
 */
export function answerOpening({ q = '', db = DATABASE }: StatementQuery): object {
  if (/^\s*show\s+databases\b/i.test(q)) {
    return { results: [{ statement_id: 0, series: [{ name: 'databases', columns: ['name'], values: [[db]] }] }] };
  }
  if (/^\s*(create|drop|show)\s/i.test(q)) return { results: [{ statement_id: 0 }] };
  throw new InvalidInput('only CREATE DATABASE is answered here: read data by GET /sensors/{id}/data');
}
