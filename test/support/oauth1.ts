import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import OAuth from 'oauth-1.0a';
import type { Api } from './api-client';
import type { RegisteredApplication } from './applications';
import type { Platform, TestUser } from './platform';
import { type RawResponse, rawRequest } from './raw-request';

export interface Token {
  key: string;
  secret: string;
}

/** How a request is signed and sent. */
export interface Signing {
  token?: Token;
  by?: 'HMAC-SHA1' | 'HMAC-SHA256';
  /** Where the parameters of the protocol go. */
  in?: 'header' | 'query' | 'form';
  /** `oauth_…` parameters in addition to the usual ones, or instead of them. */
  oauth?: Record<string, string>;
  /** Sent as a form, and signed. */
  form?: Record<string, string>;
  /** Sent as JSON, and not signed. */
  json?: unknown;
  headers?: OutgoingHttpHeaders;
  /** Whether the body is compressed on its way. */
  packed?: boolean;
  /** What is signed instead of the platform's own address. */
  base?: string;
}

/** A response with the form in its body. */
export interface SignedResponse extends RawResponse {
  text: string;
  form: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
  json: any;
}

const HASHES = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const;

/** Sends requests that an independent library signs with the key and secret of an application. */
export function oauth1Client(
  url: string,
  { consumer_key: key, consumer_secret: secret }: Pick<RegisteredApplication, 'consumer_key' | 'consumer_secret'>,
) {
  return async (method: string, path: string, signing: Signing = {}): Promise<SignedResponse> => {
    const { token, by = 'HMAC-SHA1', form, json, oauth = {}, base = url } = signing;
    const client = new OAuth({
      consumer: { key, secret },
      signature_method: by,
      hash_function: (text, signingKey) => createHmac(HASHES[by], signingKey).update(text).digest('base64'),
    });
    // The library signs what is in `data`, and takes parameters of the protocol there for its own. It does not decode the
    // names in a query.
    const [target = '', query] = path.split('?');
    const data = { ...listed(query), ...form, ...oauth };
    const authorization = client.authorize({ method, url: base + target, data }, token);
    const protocol = Object.fromEntries(
      Object.entries({ ...authorization }).filter(([name]) => name.startsWith('oauth_')),
    ) as Record<string, string>;
    return send(url, method, path, { ...signing, form, json }, protocol);
  };
}

/** The parameters of a query; those that are there several times as lists. */
function listed(query: string | undefined): Record<string, string | string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

async function send(
  url: string,
  method: string,
  path: string,
  { in: place = 'header', form, json, headers: more = {}, packed = false }: Signing,
  protocol: Record<string, string>,
): Promise<SignedResponse> {
  const headers: OutgoingHttpHeaders = { ...more };
  const encoded = new URLSearchParams(protocol).toString();
  if (place === 'header') {
    const pairs = Object.entries(protocol).map(([name, value]) => `${name}="${percent(value)}"`);
    headers.Authorization = `OAuth realm="", ${pairs.join(', ')}`;
  }
  const body = bodyOf(place === 'form' ? { ...form, ...protocol } : form, json);
  if (body !== undefined) headers['Content-Type'] ??= json === undefined ? FORM : 'application/json';
  const target = place === 'query' ? `${path}${path.includes('?') ? '&' : '?'}${encoded}` : path;
  if (packed) headers['Content-Encoding'] = 'gzip';
  const sent = packed && body !== undefined ? gzipSync(body) : body;
  const response = await rawRequest(url, target, { method, headers, body: sent });
  const text = response.bytes.toString('utf8');
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    ...response,
    text,
    form: Object.fromEntries(new URLSearchParams(text)),
    json: isJson ? JSON.parse(text) : undefined,
  };
}

const FORM = 'application/x-www-form-urlencoded';

function bodyOf(form: Record<string, string> | undefined, json: unknown): string | undefined {
  if (json !== undefined) return JSON.stringify(json);
  return form && new URLSearchParams(form).toString();
}

function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The API by requests that are signed with an access token; bodies are JSON. */
export function signedApi(url: string, application: RegisteredApplication, token: Token): Api {
  const signed = oauth1Client(url, application);
  const send = async (method: string, path: string, json?: unknown, headers: OutgoingHttpHeaders = {}) => {
    const response = await signed(method, path, { token, json, headers });
    const lines = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: response.status, body: response.json ?? response.text, headers: new Headers(lines) };
  };
  return {
    get: (path, more) => send('GET', path, undefined, more),
    post: (path, body, more) => send('POST', path, body, more),
    put: (path, body, more) => send('PUT', path, body, more),
    delete: (path, body, more) => send('DELETE', path, body, more),
  };
}

/** The form that a request of the flow is answered with. */
export function tokenIn({ status, text, form }: SignedResponse): Token {
  assert.equal(status, 200, text);
  return { key: form.oauth_token ?? '', secret: form.oauth_token_secret ?? '' };
}

/** Goes the whole way of OAuth 1.0a for a user who allows it; returns an access token. */
export async function obtainAccess(
  { url }: Pick<Platform, 'url'>,
  { user, application, tokExpir = 0 }: { user: TestUser; application: RegisteredApplication; tokExpir?: number },
): Promise<Token> {
  const signed = oauth1Client(url, application);
  const requestToken = tokenIn(await signed('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } }));
  const query = new URLSearchParams({ oauth_token: requestToken.key, tok_expir: String(tokExpir), action: 'ALLOW' });
  const decided = await user.api.post(`/oauth/provider_authorize?${query}`);
  const verifier = new URLSearchParams(decided.body).get('oauth_verifier') ?? '';
  const exchange = { token: requestToken, oauth: { oauth_verifier: verifier } };
  return tokenIn(await signed('POST', '/oauth/access_token', exchange));
}
