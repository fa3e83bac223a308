import { LAST_DATE_MS, parseIsoDate, unseparatedDate } from '../../../edge/dates';
import { readNumber } from '../../../language/sensor-value';
import { nearestNumber } from '../../../platform/exact-json';

/** A device whose clock was never set counts from 1970, or from its start. */
const FIRST_DATE_MS = Date.UTC(2001, 0, 1);
/** Numbers from here on would be after the year 5138 as seconds. */
const MILLISECONDS_FROM = 1e11;

/**
 * Unix seconds, milliseconds, or ISO 8601 with a zone. Undefined for anything else, and for a clock that was never set.
 */
export function readMessageDate(value: unknown): number | undefined {
  const given = nearestNumber(value);
  const ms = typeof given === 'string' ? (parseIsoDate(given) ?? ofNumber(readNumber(given))) : ofNumber(given);
  return ms === undefined || ms < FIRST_DATE_MS || ms > LAST_DATE_MS ? undefined : ms;
}

function ofNumber(given: unknown): number | undefined {
  if (typeof given !== 'number' || !Number.isFinite(given) || unseparatedDate(given) !== undefined) return undefined;
  return Math.round(given >= MILLISECONDS_FROM ? given : given * 1_000);
}
