import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Token } from './oauth1';
import type { Call, Kept, Parameters } from './old-clients';
import { rawRequest } from './raw-request';

/** An application as the libraries know it. */
export interface OldConsumer {
  key: string;
  secret: string;
}

/** A request by OAuth 1.0a as one of the libraries sends it; `extra` are parameters of the protocol. */
export type OldSigner = (url: string, consumer: OldConsumer, token?: Token) => Call;

/**
 * Python: the module `oauth` signs all parameters, nested ones as Python would print them, and all of them go into the query of an
 * absolute URL that always begins with http. A body is JSON in addition.
 */
export const pythonSigner: OldSigner = (url, consumer, token) => async (method, path, parameters) => {
  const base = `http://${new URL(url).host}${path}`;
  const all: Record<string, string> = {
    oauth_consumer_key: consumer.key,
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_nonce: String(randomInt(10 ** 7, 10 ** 8)),
    oauth_version: '1.0',
    ...Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name, pythonText(value)])),
    ...(token ? { oauth_token: token.key } : {}),
    oauth_signature_method: 'HMAC-SHA1',
  };
  all.oauth_signature = signature(method, base, Object.entries(all), consumer, token);
  const query = Object.entries(all).map(([name, value]) => `${percent(name)}=${percent(value)}`);
  const hasBody = parameters !== undefined && method !== 'GET' && method !== 'DELETE';
  const headers = {
    'Accept-Encoding': 'identity',
    ...(hasBody ? { 'Content-type': 'application/json', Accept: '*' } : {}),
  };
  const body = hasBody ? JSON.stringify(parameters) : '';
  return keep(await rawRequest(url, `${base}?${query.join('&')}`, { method, headers, body }));
};

/**
 * Ruby: the gem `oauth` puts the parameters of the protocol into the header. It signs no JSON, but its hash; afterwards Net::HTTP
 * labels what has no type as a form.
 */
export const rubySigner: OldSigner = (url, consumer, token) => async (method, path, parameters) => {
  const isBody = method === 'POST' || method === 'PUT';
  const query = !isBody && parameters ? new URLSearchParams(textsOf(parameters)) : null;
  const body = isBody ? JSON.stringify(parameters ?? '') : undefined;
  const given = protocolIn(parameters);
  const sent = given ? undefined : body;
  const protocol: Record<string, string> = {
    ...(sent === undefined ? {} : { oauth_body_hash: createHash('sha1').update(sent).digest('base64') }),
    ...given,
    oauth_consumer_key: consumer.key,
    oauth_nonce: randomBytes(32).toString('base64').replace(/\W/g, ''),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    ...(token ? { oauth_token: token.key } : {}),
    oauth_version: '1.0',
  };
  const signed = [...Object.entries(protocol), ...(query ?? [])];
  protocol.oauth_signature = signature(method, url + path, signed, consumer, token);
  const pairs = Object.entries(protocol).map(([name, value]) => `${percent(name)}="${percent(value)}"`);
  const headers = {
    Accept: '*/*',
    'User-Agent': 'OAuth gem v0.4.7',
    Authorization: `OAuth ${pairs.join(', ')}`,
    ...(isBody ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
  };
  return keep(
    await rawRequest(url, query ? `${path}?${query}` : path, {
      method,
      headers,
      body: sent ?? (isBody ? '' : undefined),
    }),
  );
};

/** Parameters of the protocol only are a step of the flow, which has no body. */
function protocolIn(parameters: Parameters | undefined): Record<string, string> | undefined {
  const entries = Object.entries(parameters ?? {});
  if (entries.length === 0 || !entries.every(([name]) => name.startsWith('oauth_'))) return undefined;
  return textsOf(Object.fromEntries(entries));
}

function textsOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

function signature(
  method: string,
  url: string,
  parameters: readonly (readonly [string, string])[],
  consumer: OldConsumer,
  token: Token | undefined,
): string {
  const pairs = parameters.map(([name, value]) => [percent(name), percent(value)] as const);
  const sorted = pairs.sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1)).map((pair) => pair.join('='));
  const text = [method, url, sorted.join('&')].map(percent).join('&');
  return createHmac('sha1', `${percent(consumer.secret)}&${percent(token?.secret ?? '')}`)
    .update(text)
    .digest('base64');
}

function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** As Python prints a value: `{u'name': u'x', 'on': True}`. */
function pythonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const print = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map(print).join(', ')}]`;
    if (typeof one === 'object' && one !== null) {
      return `{${Object.entries(one)
        .map(([key, inner]) => `'${key}': ${print(inner)}`)
        .join(', ')}}`;
    }
    return typeof one === 'string' ? `u'${one}'` : String(one);
  };
  return print(value);
}

function keep({ status, headers, text }: { status: number; headers: Kept['headers']; text: string }): Kept {
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status, headers, json: isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)) };
}
