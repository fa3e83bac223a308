import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type RawRequest, type RawResponse, rawRequest } from './raw-request';

/** The parts of a response that a client library keeps. */
export interface Kept {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
  json: any;
}

export type Parameters = Record<string, unknown>;
export type Call = (method: string, path: string, parameters?: Parameters) => Promise<Kept>;

/** The HTTP requests of a library that was written for this API, with the given session. */
export type OldClient = (url: string, session?: string) => Call;

/** Python: httplib with its own spelling of headers; parameters of a GET or DELETE in the query, otherwise as JSON. */
export const pythonClient: OldClient = (url, session) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = { 'Accept-Encoding': 'identity' };
  if (session !== undefined) headers['X-SESSION_ID'] = session;
  const inQuery = session !== undefined && (method === 'GET' || method === 'DELETE');
  if (parameters) {
    headers['Content-type'] = inQuery ? 'application/x-www-form-urlencoded' : 'application/json';
    headers.Accept = '*';
  }
  const target = parameters && inQuery ? `${path}?${plusForm(parameters)}` : path;
  // The library always passes a string, so that even a GET declares a body of 0 bytes.
  return keep(
    await rawRequest(url, target, { method, headers, body: parameters && !inQuery ? spaced(parameters) : '' }),
  );
};

/** Ruby: Net::HTTP under HTTParty; every request is labelled as JSON, and a missing body is an empty JSON string. */
export const rubyClient: OldClient = (url, session) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = {
    'Accept-Encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
    Accept: '*/*',
    'User-Agent': 'Ruby',
    'Content-Type': 'application/json',
    Connection: 'close',
    ...(session === undefined ? {} : { 'X-Session_id': session }),
  };
  if (method === 'GET' || method === 'DELETE') {
    const target = parameters ? `${path}?${plusForm(parameters)}` : path;
    return keep(await rawRequest(url, target, { method, headers }));
  }
  return keep(await rawRequest(url, path, { method, headers, body: JSON.stringify(parameters ?? '') }));
};

/** JavaScript in a page of another site: an empty query remains a question mark, and the browser adds its headers. */
export const browserClient: OldClient = (url, session) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = {
    Accept: '*',
    Origin: 'https://dashboard.example.org',
    'Sec-Fetch-Site': 'cross-site',
    'Accept-Encoding': 'gzip, deflate',
    ...(session === undefined ? {} : { 'X-SESSION_ID': session }),
  };
  if (method === 'GET' || method === 'DELETE') {
    return keep(await rawRequest(url, `${path}?${percentForm(parameters ?? {})}`, { method, headers }));
  }
  headers['Content-Type'] = 'application/json';
  return keep(await rawRequest(url, path, { method, headers, body: JSON.stringify(parameters ?? {}) }));
};

/** Node: paths without `.json`, and the media types of both the library and its transport. */
export const nodeClient: OldClient = (url, session) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = {
    'User-Agent': 'node-XMLHttpRequest',
    Accept: '*/*, *',
    ...(session === undefined ? {} : { 'X-SESSION_ID': session }),
  };
  if (method === 'GET') {
    return keep(await rawRequest(url, `${path}?${percentForm(parameters ?? {})}`, { method, headers }));
  }
  headers['Content-Type'] = 'application/json';
  return keep(await rawRequest(url, path, { method, headers, body: JSON.stringify(parameters ?? {}) }));
};

/** Java: every body gzipped and chunked; the session header in lower case. */
export const javaClient: OldClient = (url, session) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = {
    'User-Agent': 'Java/1.7.0_45',
    Accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    Connection: 'keep-alive',
    ...(session === undefined ? {} : { 'x-session_id': session }),
  };
  if (method === 'DELETE') headers['Content-Type'] = 'application/json';
  return keep(await rawRequest(url, path, { method, headers, ...zipped(headers, parameters, 'application/json') }));
};

/** Android: the session as the unchanged cookie of the login. */
export const androidClient: OldClient = (url, cookie) => async (method, path, parameters) => {
  const headers: OutgoingHttpHeaders = {
    'User-Agent': 'Dalvik/1.6.0 (Linux; U; Android 4.4.2)',
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    ...(cookie === undefined ? {} : { Cookie: cookie }),
  };
  const body = zipped(headers, parameters, 'application/json; charset=utf-8');
  return keep(await rawRequest(url, path, { method, headers, ...body }));
};

/** Sets the headers of a compressed body and returns that body. */
function zipped(headers: OutgoingHttpHeaders, parameters: Parameters | undefined, type: string): RawRequest {
  if (!parameters) return {};
  headers['Content-Type'] = type;
  headers['Content-Encoding'] = 'gzip';
  return { body: gzipSync(JSON.stringify(parameters)), chunked: true };
}

function keep({ status, headers, bytes }: RawResponse): Kept {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
  return { status, headers, json: text === '' ? undefined : JSON.parse(text) };
}

/** Python writes a space after each comma and colon, and escapes everything beyond ASCII. */
function spaced(parameters: Parameters): string {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return ascii(JSON.stringify(value));
    return `{${Object.entries(value)
      .map(([key, one]) => `${ascii(JSON.stringify(key))}: ${write(one)}`)
      .join(', ')}}`;
  };
  return write(parameters);
}

function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function plusForm(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

function percentForm(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** The id at the end of a `Location`, which clients read. */
export function idIn({ headers }: Kept): string {
  return (headers.location ?? '').split('/').at(-1) ?? '';
}
