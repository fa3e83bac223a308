import { successProblem } from '../../language/success';
import type { Rendering } from '../../language/templates/template';
import { exactJson, parseExactJson } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import { LruCache, weightOfText } from '../../platform/lru-cache';
import type { Steps } from '../../platform/steps';
import { whyNoAuthority } from '../notifications/ca-certificate';
import { compileUrl } from './url-template';
import { type BodyProblem, compileBody, isStructured, JSON_TYPE, MAX_BODY, type WebhookBody } from './webhook-body';

export const WEBHOOK_METHODS = ['POST', 'PUT'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

/** Stands for a secret in responses, and in a request for one that does not change. */
export const HIDDEN = '…';

const MAX_HEADERS = 10;
const MAX_HEADER = 4_000;
/** Counts the names and values of all headers. */
const MAX_HEADER_BYTES = 8_192;
const MAX_SECRETS = 10;
const MAX_SECRET = 4_000;
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** RFC 9110, 5.5: visible characters, with blanks between them. */
const FIELD_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;
const MEDIA_TYPE =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\s*;\s*[\w-]+=(?:[\w.-]+|"[\w .-]*"))*$/;
const SECRET_NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** The connection and the signature decide these. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te'],
  ...['trailer', 'expect', 'proxy-authorization', 'proxy-connection', 'proxy-authenticate', 'cookie2'],
]);

/** Undefined means not given, null resets. */
export interface WebhookInput extends Partial<Omit<WebhookRequestInput, 'destination' | 'secretNames'>> {
  method?: WebhookMethod;
  headers?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
}

/** `field` includes the path into the field. */
export interface RequestProblem {
  field: string;
  error: string;
}

/** A body is a JSON value, or a text. */
export interface WebhookRequestInput {
  destination: string;
  destinationResolved: string | null;
  contentType: string | null;
  body: unknown;
  bodyResolved: unknown;
  destinationAcknowledged: string | null;
  bodyAcknowledged: unknown;
  caCertificate: string | null;
  success: string | null;
  /** Absent if the templates may read any secret. */
  secretNames?: ReadonlySet<string>;
}

export function findRequestProblem(input: WebhookRequestInput): RequestProblem | undefined {
  const { contentType, body, secretNames } = input;
  return (
    urlProblem('destination', input.destination, secretNames) ??
    urlProblem('destination_resolved', input.destinationResolved, secretNames) ??
    urlProblem('destination_acknowledged', input.destinationAcknowledged, secretNames) ??
    contentTypeProblem(contentType, body) ??
    bodyProblem('body', input, body) ??
    furtherBodyProblem('body_resolved', input, input.bodyResolved) ??
    furtherBodyProblem('body_acknowledged', input, input.bodyAcknowledged) ??
    certificateProblem(input.caCertificate) ??
    problemOfSuccess(input.success)
  );
}

export function findHeaderProblem(headers: Readonly<Record<string, unknown>>): RequestProblem | undefined {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return { field: 'headers', error: `must have at most ${MAX_HEADERS} entries` };
  const lower = names.map((name) => name.toLowerCase());
  for (const [index, name] of names.entries()) {
    const field = `headers.${name}`;
    if (!TOKEN.test(name)) return { field, error: 'must be the name of a header' };
    if (isReserved(name)) return { field, error: 'is set by the platform' };
    if (lower.indexOf(name.toLowerCase()) !== index) return { field, error: 'is given twice' };
    const value = headers[name];
    if (typeof value !== 'string' || value.length > MAX_HEADER || (value !== HIDDEN && !FIELD_VALUE.test(value))) {
      return { field, error: `must be a string of 1 to ${MAX_HEADER} characters without line breaks` };
    }
    if (value.includes('{{')) {
      return { field, error: 'must not hold {{: a header is no template, and would be sent as it is' };
    }
  }
  return undefined;
}

/** `bytes` counts names and values. */
export function findHeaderSizeProblem(bytes: number): RequestProblem | undefined {
  return bytes > MAX_HEADER_BYTES
    ? { field: 'headers', error: `must have at most ${MAX_HEADER_BYTES} bytes in all names and values` }
    : undefined;
}

export function findSecretProblem(secrets: Readonly<Record<string, unknown>>): RequestProblem | undefined {
  const names = Object.keys(secrets);
  if (names.length > MAX_SECRETS) return { field: 'secrets', error: `must have at most ${MAX_SECRETS} entries` };
  for (const name of names) {
    const field = `secrets.${name}`;
    const value = secrets[name];
    if (!SECRET_NAME.test(name)) return { field, error: 'must have a name of lower-case letters, digits and _' };
    if (typeof value !== 'string' || value === '' || value.length > MAX_SECRET) {
      return { field, error: `must be a string of 1 to ${MAX_SECRET} characters` };
    }
  }
  return undefined;
}

/** What a request about an episode reports. */
export type ReportedState = 'firing' | 'resolved' | 'acknowledged';

/** Falls back to the value for firings. */
export function forState<T>(state: ReportedState, given: Readonly<Record<ReportedState, T | null>>): T | null {
  return given[state] ?? given.firing;
}

/** Null for no body. */
export function storedBody(contentType: string | null, body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return isStructured(contentType ?? JSON_TYPE) ? exactJson(body) : String(body);
}

export function bodyOf(contentType: string | null, stored: string | null): unknown {
  if (stored === null) return null;
  return isStructured(contentType ?? JSON_TYPE) ? parseExactJson(stored) : stored;
}

// A compiled body takes some 50 bytes for each character: at most 30 MB.
const CACHED_CHARACTERS = 600_000;
const compiledBodies = new LruCache<string, WebhookBody>(CACHED_CHARACTERS, weightOfText);

/** Requires a body that was checked when it was saved. */
export function renderBody(contentType: string | null, stored: string, rendering: Rendering): Steps<string> {
  const type = contentType ?? JSON_TYPE;
  return compiledBodies.get(`${type}\n${stored}`, () => compileStored(type, stored)).render(rendering);
}

function compileStored(contentType: string, stored: string): WebhookBody {
  const compiled = compileBody(contentType, bodyOf(contentType, stored));
  if ('problem' in compiled) throw new Error(`a stored body cannot be used: ${compiled.problem.error}`);
  return compiled.body;
}

function isReserved(name: string): boolean {
  return RESERVED.has(name.toLowerCase()) || /^webhook-/i.test(name);
}

/** A body for ends or acknowledgements needs one for firings. */
function furtherBodyProblem(field: string, input: WebhookRequestInput, further: unknown): RequestProblem | undefined {
  if (further !== null && input.body === null) return { field, error: 'needs a body' };
  return bodyProblem(field, input, further);
}

function urlProblem(
  field: string,
  url: string | null,
  secretNames: ReadonlySet<string> | undefined,
): RequestProblem | undefined {
  if (url === null) return undefined;
  const compiled = compileUrl(url, secretNames);
  return 'problem' in compiled ? problemIn(field, { ...compiled.problem, path: '' }) : undefined;
}

function contentTypeProblem(contentType: string | null, body: unknown): RequestProblem | undefined {
  if (contentType === null) return undefined;
  if (!MEDIA_TYPE.test(contentType))
    return { field: 'content_type', error: 'must be a media type, for example text/plain' };
  return body === null ? { field: 'content_type', error: 'needs a body' } : undefined;
}

function bodyProblem(
  field: string,
  { contentType, secretNames }: WebhookRequestInput,
  body: unknown,
): RequestProblem | undefined {
  if (body === null) return undefined;
  if ((exactJson(body) ?? '').length > MAX_BODY) return { field, error: `must have at most ${MAX_BODY} characters` };
  const compiled = compileBody(contentType ?? JSON_TYPE, body, secretNames);
  return 'problem' in compiled ? problemIn(field, compiled.problem) : undefined;
}

function problemIn(field: string, { path, error, position }: BodyProblem): RequestProblem {
  return position < 0
    ? { field: field + path, error }
    : { field: field + path, error: `cannot be used: ${error} at position ${position}` };
}

function certificateProblem(pem: string | null): RequestProblem | undefined {
  const error = pem === null ? null : whyNoAuthority(pem);
  return error === null ? undefined : { field: 'ca_certificate', error };
}

function problemOfSuccess(success: string | null): RequestProblem | undefined {
  const error = success === null ? undefined : successProblem(success);
  return error === undefined ? undefined : { field: 'success', error };
}

/** True if templates shape the requests. */
export function hasTemplates({ destination, body }: { destination: string; body: string | null }): boolean {
  return body !== null || destination.includes('{{');
}

/** Requires JSON that this platform has written. */
export function readRecord(text: string | null): Record<string, string> {
  const record: unknown = text === null ? {} : JSON.parse(text);
  return isRecord(record) ? (record as Record<string, string>) : {}; // written by this platform
}
