import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { CALLBACK, type RegisteredApplication } from './applications';
import type { Platform, TestUser } from './platform';
import { type RawResponse, rawRequest } from './raw-request';

const FORM = 'application/x-www-form-urlencoded';
/** What Chromium sends, shortened. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export interface TokenResponse extends RawResponse {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
  body: any;
}

/** A verifier of PKCE with its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Uses OAuth 2 as a browser and an application do. */
export class OAuth2Flow {
  constructor(
    private readonly platform: Pick<Platform, 'url'>,
    readonly application: RegisteredApplication,
  ) {}

  /** The address to which the application sends a user. */
  address(parameters: Record<string, string | undefined> = {}): string {
    const { consumer_key: client_id } = this.application;
    const all = { response_type: 'code', client_id, redirect_uri: CALLBACK, state: 'xyz', ...parameters };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth2/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** What the browser of a user shows, or where it is sent. */
  open(user: Pick<TestUser, 'session'> | undefined, address: string): Promise<RawResponse> {
    return rawRequest(this.platform.url, address, { headers: { ...BROWSER, ...cookieOf(user) } });
  }

  /** Sends the form of a page as the browser of a user does. */
  post(user: Pick<TestUser, 'session'>, address: string, form: Record<string, string>, more: OutgoingHttpHeaders = {}) {
    const headers = { ...BROWSER, ...cookieOf(user), 'Content-Type': FORM, ...more };
    return rawRequest(this.platform.url, address, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form).toString(),
    });
  }

  /** Where a user is sent who decides on the page. */
  async decide(user: TestUser, address: string, action: 'ALLOW' | 'DENY' = 'ALLOW'): Promise<URLSearchParams> {
    const page = await this.open(user, address);
    assert.equal(page.status, 200, page.text);
    const form_token = /name="form_token" value="([\w-]+)"/.exec(page.text)?.[1] ?? '';
    const answer = await this.post(user, address, { form_token, action });
    assert.equal(answer.status, 302, answer.text);
    return new URL(String(answer.headers.location)).searchParams;
  }

  /** The code that a user's consent leads to. */
  async code(user: TestUser, parameters: Record<string, string | undefined> = {}): Promise<string> {
    return (await this.decide(user, this.address(parameters))).get('code') ?? assert.fail('no code');
  }

  /** A request of the application by itself, with its secret in the header. */
  async request(path: string, form: Record<string, string>, headers?: OutgoingHttpHeaders): Promise<TokenResponse> {
    const response = await rawRequest(this.platform.url, path, {
      method: 'POST',
      headers: { 'Content-Type': FORM, ...(headers ?? this.basic()) },
      body: new URLSearchParams(form).toString(),
    });
    return { ...response, body: JSON.parse(response.text) };
  }

  exchange(code: string, more: Record<string, string> = {}, headers?: OutgoingHttpHeaders): Promise<TokenResponse> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...more };
    return this.request('/oauth2/token', form, headers);
  }

  refresh(refresh_token: string, more: Record<string, string> = {}): Promise<TokenResponse> {
    return this.request('/oauth2/token', { grant_type: 'refresh_token', refresh_token, ...more });
  }

  /** The tokens of a user who allows it. */
  async tokens(user: TestUser, parameters: Record<string, string | undefined> = {}) {
    const { status, body } = await this.exchange(await this.code(user, parameters));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  basic(secret = this.application.consumer_secret): OutgoingHttpHeaders {
    const credentials = Buffer.from(`${this.application.consumer_key}:${secret}`).toString('base64');
    return { Authorization: `Basic ${credentials}` };
  }
}

/** The status of a request with an access token. */
export async function statusWith(
  { url }: Pick<Platform, 'url'>,
  token: string,
  path = '/sensors',
  request: { method?: string; body?: string } = {},
): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, ...(request.body && { 'Content-Type': 'application/json' }) };
  return (await rawRequest(url, path, { ...request, headers })).status;
}

function cookieOf(user: Pick<TestUser, 'session'> | undefined): OutgoingHttpHeaders {
  return user ? { Cookie: `session_id=${user.session}` } : {};
}
