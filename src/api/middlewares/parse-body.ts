import { BYTES } from '../../edge/body-bytes';
import { BrokenText, charsetIn, readText, UnknownCharset } from '../../edge/bytes-as-text';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { parseExactJson } from '../../platform/exact-json';
import { JsonSliceError, parseJsonInSteps } from '../../platform/json-in-steps';
import { finishPaced } from '../../platform/paced';
import { finish, type Steps } from '../../platform/steps';
import { LINES, readCsvLines, readJsonLines, type UploadedLine, WrongLine } from '../../points';
import { protocolRouteOf } from '../protocol-routes';
import { explainJson, explainSlice, type JsonMistake } from './explain-json';
import { parseForm } from './form';
import { checkJsonLimits } from './json-limits';

/** `__proto__` as a key, or an escape that could spell a letter of it. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|7[024]|6f)/i;

/** Callers choose the keys there freely. They are read into a map, or stored as they are. */
const WITH_FREE_KEYS = /^\/(sensors\/[^/]+\/metatags|sensors\/([^/]+\/)?data|in\/.*)$/;

/** Paths whose bodies hold numbers that are stored or sent on with all their digits. */
const WITH_DIGITS = /^\/(sensors\/([^/]+\/)?data|in\/.*|notifications(\/.*)?)$/;

/** Paths whose bodies may be in lines: CSV or a JSON object on each. */
const UPLOADS = /^\/sensors\/([^/]+\/)?data$/;

/** A line of InfluxDB: a measurement, tags and a field. */
const LINE_PROTOCOL = /^\s*(?:\\.|[^\s,={["\\])+(?:,(?:\\.|[^\s,=\\])+=(?:\\.|[^\s,\\])+)* +(?:\\.|[^\s,=\\])+=\S/;
const LONGEST_LINE = 5_000;
const IS_LINES = 'the body is in the line protocol of InfluxDB: send it to /api/v2/write, with a key';

/** Content types of delimiter-separated files; the last is the one that Windows uses if Excel is installed. */
const CSV = /^(text\/csv|application\/csv|text\/tab-separated-values|application\/vnd\.ms-excel)\b/;

/** The label of a body. */
export interface BodyLabel {
  /** The content type, in any letter case. */
  type: string | undefined;
  /** The path without its suffix, and whether it had the suffix `.json`. */
  path: string;
  jsonSuffix: boolean;
}

/** How a body is parsed. */
export interface BodyFormat {
  charset: string;
  /** True if it is left to the parser of a protocol. */
  isInBytes: boolean;
  /** Set if the body is in lines. */
  readLines?: (text: string) => Steps<UploadedLine[]>;
  /** True if its path takes points of sensors. */
  isUpload: boolean;
  isForm: boolean;
  isMultipart: boolean;
  /** True if its keys are names that callers choose. */
  hasFreeKeys: boolean;
  /** Keeps all digits of numbers where they are stored, as LongNumber if need be. */
  parseJson: (text: string) => unknown;
  jsonSuffix: boolean;
}

/** Reads the label of a body. Devices send the same label each time. */
export function readLabel({ type = '', path, jsonSuffix }: BodyLabel): BodyFormat {
  const label = type.toLowerCase();
  return {
    isInBytes: protocolRouteOf(path)?.isInBytes === true,
    charset: charsetIn(label),
    readLines: jsonSuffix || !UPLOADS.test(path) ? undefined : readersOf(label),
    isUpload: UPLOADS.test(path),
    isForm: label.startsWith('application/x-www-form-urlencoded'),
    isMultipart: label.startsWith('multipart/'),
    hasFreeKeys: WITH_FREE_KEYS.test(path),
    parseJson: WITH_DIGITS.test(path) ? parseExactJson : JSON.parse,
    jsonSuffix,
  };
}

/** Longer bodies are parsed with pauses. */
const LONG_BYTES = 65_536;

/**
 * Parses bytes whatever their label: JSON first, and as a form only if it is not JSON and labelled as a form. Returns
 * `{}` for an empty body. Lines and long bodies are parsed with pauses.
 */
export function parseBody(bytes: Buffer, format: BodyFormat): unknown | Promise<unknown> {
  if (format.isInBytes) return { [BYTES]: { bytes, charset: format.charset } };
  if (bytes.length === 0) return {};
  const text = decode(bytes, format.charset);
  if (text.trim() === '') return {};
  if (format.readLines) return parseLines(bytes, text, format.readLines);
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (bytes.length > LONG_BYTES) return parseLong(bytes, text, format, looksLikeJson);
  if (looksLikeJson || !format.isForm) finish(checkJsonLimits(bytes));
  try {
    return withoutPrototypes(format.parseJson(text), text, format);
  } catch {
    return parseOther(text, format, looksLikeJson);
  }
}

async function parseLong(bytes: Buffer, text: string, format: BodyFormat, looksLikeJson: boolean): Promise<unknown> {
  if (looksLikeJson || !format.isForm) await finishPaced(checkJsonLimits(bytes));
  try {
    return withoutPrototypes(await finishPaced(parseJsonInSteps(text, format.parseJson)), text, format);
  } catch (error) {
    return parseOther(text, format, looksLikeJson, error);
  }
}

function withoutPrototypes(parsed: unknown, text: string, format: BodyFormat): unknown {
  if (MAY_NAME_PROTOTYPE.test(text) && !format.hasFreeKeys) dropPrototypes(parsed);
  return parsed;
}

/** Parses a text that is not JSON, or says what it is. */
function parseOther(text: string, format: BodyFormat, looksLikeJson: boolean, error?: unknown): unknown {
  const { charset, isForm, isMultipart, isUpload, jsonSuffix } = format;
  if (isUpload && LINE_PROTOCOL.test(text.slice(0, LONGEST_LINE))) {
    throw new InvalidInput(IS_LINES, undefined, 'unparsable_json');
  }
  // A number or a quoted text alone would be JSON as well; a form never begins like an object or a list.
  if (isForm && !(jsonSuffix && looksLikeJson)) return parseForm(text, charset);
  throw isMultipart
    ? unreadableType()
    : notJson(error instanceof JsonSliceError ? explainSlice(error) : explainJson(text));
}

function unreadableType(): PlatformError {
  return new PlatformError(415, 'unreadable_type', 'send JSON or application/x-www-form-urlencoded');
}

function notJson(mistake: JsonMistake | undefined): InvalidInput {
  const where = mistake ? ` at position ${mistake.position}: ${mistake.why}` : '';
  return new InvalidInput(`the body is not valid JSON${where}`, undefined, 'unparsable_json');
}

/** The reader of an upload in lines, by its label. */
function readersOf(label: string): ((text: string) => Steps<UploadedLine[]>) | undefined {
  if (CSV.test(label)) return readCsvLines;
  return /^application\/(x-)?ndjson/.test(label) ? readJsonLines : undefined;
}

async function parseLines(bytes: Buffer, text: string, read: (text: string) => Steps<UploadedLine[]>): Promise<object> {
  if (read === readJsonLines) await finishPaced(checkJsonLimits(bytes));
  try {
    const lines = await finishPaced(read(text));
    return { [LINES]: lines };
  } catch (error) {
    if (error instanceof WrongLine) throw InvalidInput.field(`line ${error.line}`, error.why);
    throw error;
  }
}

/** Decodes bytes strictly: invalid ones are refused, not replaced. */
function decode(bytes: Buffer, charset: string): string {
  try {
    return readText(bytes, charset);
  } catch (error) {
    if (error instanceof UnknownCharset) throw new PlatformError(415, 'unreadable_charset', error.message);
    if (error instanceof BrokenText) throw new InvalidInput(`the body ${error.message}`, undefined, 'broken_encoding');
    throw error;
  }
}

/**
 * Without this a key `__proto__` would become an own key that later copies could make a prototype. A walk over the
 * finished value costs less than its parsing; a reviver would cost many times that, and a stack as deep as the value.
 */
function dropPrototypes(parsed: unknown): void {
  const left: unknown[] = [parsed];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (Object.hasOwn(one, '__proto__')) Reflect.deleteProperty(one, '__proto__');
    for (const value of Array.isArray(one) ? one : Object.values(one)) if (typeof value === 'object') left.push(value);
  }
}
