import { localDateIn } from '../../language/local-time';
import type { ToolAnswer } from './tool';

/** An answer must leave room in the context of a language model. In bytes of UTF-8. */
const MOST_BYTES = 8_000;
/** Fields of the API with a time in unix seconds. */
const TIMES =
  /^(?:date|since|until|start|end|ended|applied|acknowledged_date|creation_date|value_date|state_since|.*_date)$/;
/** 1990: a smaller number is a duration. */
const FIRST_TIME = 631_152_000;
const MINUTE_MS = 60_000;

/**
 * The answer of a tool as JSON of at most 8,000 bytes: times in the reader's zone, values with their units, nothing that
 * is null. If the list is too long, its end is left out, and `left_out` counts it.
 */
export function answerText({ list, ...others }: ToolAnswer, timezone: string): string {
  const { text, ...shown } = shape(others, timezone, undefined) as Record<string, unknown>;
  if (!Array.isArray(list)) return withText(shown, text);
  const unit = unitOf(others);
  const kept: unknown[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(shown)) + 60;
  for (const item of list) {
    const one = shape(item, timezone, unit ?? unitOf(Object(item)));
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > MOST_BYTES) break;
    kept.push(one);
  }
  const left = list.length - kept.length;
  return withText({ ...shown, list: kept, ...(left > 0 && { left_out: left }) }, text);
}

/** Cuts what has no list: a document, or a record with long lists. */
function withText(shown: Record<string, unknown>, text: unknown): string {
  const whole = text === undefined ? JSON.stringify(shown) : String(text);
  const bytes = Buffer.from(whole);
  if (bytes.length <= MOST_BYTES) return whole;
  const note = `\n… cut: this is the beginning of ${bytes.length} bytes; ask for less`;
  const room = MOST_BYTES - Buffer.byteLength(note);
  return bytes.toString('utf8', 0, room).replace(/\uFFFD+$/, '') + note;
}

function unitOf({ unit }: Record<string, unknown>): string | undefined {
  return typeof unit === 'string' && unit !== '' ? unit : undefined;
}

function shape(value: unknown, timezone: string, unit: string | undefined, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => shape(item, timezone, unit, name));
  if (typeof value === 'number' && TIMES.test(name) && value > FIRST_TIME) return timeIn(timezone, value * 1_000);
  if (typeof value !== 'object' || value === null) return isValue(name, value) && unit ? `${value} ${unit}` : value;
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, shape(one, timezone, unit, key)]));
}

/** True for plain numbers of a sensor. */
function isValue(name: string, value: unknown): boolean {
  return /^(?:value|min|max|mean)$/.test(name) && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(String(value));
}

/** ISO 8601 with the offset of the zone. */
function timeIn(timezone: string, ms: number): string {
  const local = localDateIn(timezone, ms);
  const minutes = Math.round((local.getTime() - ms) / MINUTE_MS);
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return local.toISOString().replace(/(?:\.000)?Z$/, minutes === 0 ? 'Z' : offset);
}
