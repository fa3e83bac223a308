import { BYTES, decodeBody } from '../../edge/body-bytes';
import { charsetIn } from '../../edge/bytes-as-text';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { parseExactJson } from '../../platform/exact-json';
import { JsonSliceError, parseJsonInSteps } from '../../platform/json-in-steps';
import { finishPaced } from '../../platform/paced';
import { finish, type Steps } from '../../platform/steps';
import { LINES, readCsvLines, readJsonLines, type UploadedLine, WrongLine } from '../../points';
import type { BodyTraits } from '../operations';
import { explainJson, explainSlice, type JsonMistake } from './explain-json';
import { parseForm } from './form';
import { checkJsonLimits } from './json-limits';

/** Matches the key, or an escape that could spell a letter of it. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|7[024]|6f)/i;

/** InfluxDB: a measurement, tags and a field. */
const LINE_PROTOCOL = /^\s*(?:\\.|[^\s,={["\\])+(?:,(?:\\.|[^\s,=\\])+=(?:\\.|[^\s,\\])+)* +(?:\\.|[^\s,=\\])+=\S/;
const LONGEST_LINE = 5_000;
const IS_LINES = 'the body is in the line protocol of InfluxDB: send it to /api/v2/write, with a key';

/** The last type is Windows' with Excel installed. */
const CSV = /^(text\/csv|application\/csv|text\/tab-separated-values|application\/vnd\.ms-excel)\b/;

export interface BodyLabel {
  /** In any letter case. */
  type: string | undefined;
  /** The traits that the operations of the path have. */
  traits: BodyTraits;
  jsonSuffix: boolean;
}

/** How a body is parsed. */
export interface BodyFormat {
  charset: string;
  isInBytes: boolean;
  readLines?: (text: string) => Steps<UploadedLine[]>;
  isUpload: boolean;
  isForm: boolean;
  isMultipart: boolean;
  /** Callers choose the keys. */
  hasFreeKeys: boolean;
  /** Digits that are stored become a LongNumber. */
  parseJson: (text: string) => unknown;
  jsonSuffix: boolean;
}

export function readLabel({ type = '', traits, jsonSuffix }: BodyLabel): BodyFormat {
  const label = type.toLowerCase();
  return {
    isInBytes: traits.isInBytes === true,
    charset: charsetIn(label),
    readLines: jsonSuffix || !traits.hasLines ? undefined : readersOf(label),
    isUpload: traits.hasLines === true,
    isForm: label.startsWith('application/x-www-form-urlencoded'),
    isMultipart: label.startsWith('multipart/'),
    hasFreeKeys: traits.hasFreeKeys === true,
    parseJson: traits.hasDigits ? parseExactJson : JSON.parse,
    jsonSuffix,
  };
}

/** Longer bodies are parsed with pauses. */
const LONG_BYTES = 65_536;

/**
 * Whatever the label: JSON first, and a form only if labelled as one. `{}` for an empty body. Pauses in lines and long
 * bodies.
 */
export function parseBody(bytes: Buffer, format: BodyFormat): unknown | Promise<unknown> {
  if (format.isInBytes) return { [BYTES]: { bytes, charset: format.charset } };
  if (bytes.length === 0) return {};
  const text = decodeBody({ bytes, charset: format.charset });
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

function parseOther(text: string, format: BodyFormat, looksLikeJson: boolean, error?: unknown): unknown {
  const { charset, isForm, isMultipart, isUpload, jsonSuffix } = format;
  if (isUpload && LINE_PROTOCOL.test(text.slice(0, LONGEST_LINE))) {
    throw new InvalidInput(IS_LINES, undefined, 'unparsable_json');
  }
  // A number or a quoted text alone would be JSON; a form never begins like an object or a list.
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

/**
 * An own key `__proto__` could become a prototype in later copies. A walk costs less than parsing; a reviver would cost
 * many times that, and a stack as deep as the value.
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
