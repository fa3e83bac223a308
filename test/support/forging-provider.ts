import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CLIENT, settingsFor } from './identity-provider';
import { LoginBrowser, type Opened } from './login-browser';

type Said = Record<string, unknown>;

/** How an ID token is made, and by which key. */
export interface Forgery {
  alg?: 'RS256' | 'none' | 'HS256';
  isOtherKey?: boolean;
  /** Replace what an honest provider says; undefined leaves it out. */
  said?: Said;
  metadata?: Said;
}

/** A provider that says whatever a test wants. */
export interface ForgingProvider {
  issuer: string;
  settings(more?: Record<string, string>): Record<string, string>;
  forge(forgery: Forgery): void;
  /** Requests to the token endpoint so far. */
  readonly exchanges: number;
  close(): Promise<void>;
}

const [OWN, OTHER] = [newPair(), newPair()];

export async function startForgingProvider(): Promise<ForgingProvider> {
  const state = { forgery: {} as Forgery, exchanges: 0, nonce: '' };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const answer = (body: unknown) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname.endsWith('/openid-configuration'))
      return answer({ ...metadataOf(issuer), ...state.forgery.metadata });
    if (url.pathname === '/jwks')
      return answer({ keys: [{ ...OWN.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256' }] });
    if (url.pathname === '/token') {
      state.exchanges += 1;
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      return request.on('end', () => {
        // The code carries the nonce, as no page of this provider is opened.
        const nonce = new URLSearchParams(body).get('code') ?? '';
        answer({ access_token: 'of no use', token_type: 'Bearer', id_token: idToken(issuer, nonce, state.forgery) });
      });
    }
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  return {
    issuer,
    settings: (more) => settingsFor(issuer, more),
    forge: (forgery) => {
      state.forgery = forgery;
    },
    get exchanges() {
      return state.exchanges;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A login that has begun: its answer can be changed before the browser brings it back. */
export class BegunLogin {
  private constructor(
    readonly browser: LoginBrowser,
    readonly answer: URL,
  ) {}

  static async at(
    platformUrl: string,
    { issuer }: Pick<ForgingProvider, 'issuer'>,
    { browser = new LoginBrowser(), query = '' } = {},
  ): Promise<BegunLogin> {
    const { location, text } = await browser.open(`${platformUrl}/login/oidc${query}`);
    if (location === '') throw new Error(text);
    const asked = new URL(location).searchParams;
    const answer = new URL(asked.get('redirect_uri') ?? '');
    answer.searchParams.set('code', asked.get('nonce') ?? '');
    answer.searchParams.set('state', asked.get('state') ?? '');
    answer.searchParams.set('iss', issuer);
    return new BegunLogin(browser, answer);
  }

  finish(browser = this.browser): Promise<Opened> {
    return browser.open(this.answer.href);
  }

  session(platformUrl: string): string | undefined {
    return this.browser.cookie(platformUrl, 'session_id');
  }
}

function metadataOf(issuer: string): Said {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function idToken(issuer: string, nonce: string, { alg = 'RS256', isOtherKey = false, said }: Forgery): string {
  const now = Math.floor(Date.now() / 1000);
  const honest = { iss: issuer, aud: CLIENT.id, sub: 'somebody', nonce, iat: now, exp: now + 300 };
  const content = `${encode({ alg, kid: 'own', typ: 'JWT' })}.${encode({ ...honest, ...said })}`;
  if (alg === 'none') return `${content}.`;
  if (alg === 'HS256') return `${content}.${createHmac('sha256', CLIENT.secret).update(content).digest('base64url')}`;
  const { privateKey } = isOtherKey ? OTHER : OWN;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function newPair() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}
