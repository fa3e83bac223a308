import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Person = Record<string, unknown>;

export const CLIENT = { id: 'sensors', secret: 'a secret of the platform at its provider' };

/** A certified provider of OpenID Connect in this process, with its own pages. */
export interface IdentityProvider {
  issuer: string;
  /** What it says about a person, by the name that they log in with. */
  people: Map<string, Person>;
  /** Takes this address of the platform. */
  register(platformUrl: string): Promise<void>;
  /** Signs with another key from now on. */
  rotateKeys(): Promise<void>;
  /** Answers nothing until it is called with false. */
  setDown(isDown: boolean): void;
  /** Answered requests for what it announces. */
  readonly discoveries: number;
  settings(more?: Record<string, string>): Record<string, string>;
  close(): Promise<void>;
}

export async function startIdentityProvider(idTokenSeconds = 3_600): Promise<IdentityProvider> {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  let isDown = false;
  let platformUrl = '';
  let discoveries = 0;
  const server = createServer((request, response) => {
    if (isDown) return request.socket.destroy();
    if (request.url?.endsWith('/openid-configuration')) discoveries += 1;
    return handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  const people = new Map<string, Person>();
  const adapter = newAdapter();
  const build = async () => {
    const { Provider } = await import('oidc-provider');
    handler = new Provider(issuer, configurationOf({ platformUrl, people, adapter, idTokenSeconds })).callback();
  };
  return {
    issuer,
    people,
    register: async (url) => {
      platformUrl = url;
      await build();
    },
    rotateKeys: build,
    setDown: (value) => {
      isDown = value;
    },
    get discoveries() {
      return discoveries;
    },
    settings: (more) => settingsFor(issuer, more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function settingsFor(issuer: string, more: Record<string, string> = {}): Record<string, string> {
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, ...more };
}

interface Parts {
  platformUrl: string;
  people: ReadonlyMap<string, Person>;
  adapter: ReturnType<typeof newAdapter>;
  idTokenSeconds: number;
}

function configurationOf({ platformUrl, people, adapter, idTokenSeconds }: Parts) {
  return {
    adapter,
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${platformUrl}/login/oidc/callback`],
        post_logout_redirect_uris: [`${platformUrl}/console/`],
      },
    ],
    jwks: { keys: [newKey()] },
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    ttl: { IdToken: idTokenSeconds },
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'name', 'given_name', 'family_name', 'zoneinfo'],
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people.get(accountId) }),
    }),
  };
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

interface Stored {
  uid?: string;
  grantId?: string;
  consumed?: number;
}

/** Keeps logins and codes when the keys rotate. */
function newAdapter() {
  const rows = new Map<string, Stored>();
  return class {
    constructor(private readonly kind: string) {}

    async upsert(id: string, row: Stored) {
      rows.set(`${this.kind} ${id}`, row);
    }

    async find(id: string) {
      return rows.get(`${this.kind} ${id}`);
    }

    async findByUid(uid: string) {
      return [...rows].find(([key, row]) => key.startsWith(`${this.kind} `) && row.uid === uid)?.[1];
    }

    async consume(id: string) {
      const row = await this.find(id);
      if (row) row.consumed = Math.floor(Date.now() / 1000);
    }

    async destroy(id: string) {
      rows.delete(`${this.kind} ${id}`);
    }

    async revokeByGrantId(grantId: string) {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
    }
  };
}
