import type { Request } from 'express';
import type { BearerTokens } from '../people';
import type { Identity } from '../platform/caller';
import { Forbidden, InvalidToken } from '../platform/errors';
import type { CredentialFinder } from './authentication';
import { roadOf } from './roads';

const TOKEN = /^Token +(\S+) *$/i;
const BASIC = /^Basic +(\S+) *$/i;
/** A key with other scopes may not stand where it is exposed. */
const SCOPES_IN_ADDRESS: ReadonlySet<string> = new Set(['data:write', 'sensors:create']);

interface GivenKey {
  secret: string;
  /** Only a key that can do nothing else may stand there. */
  isExposed: boolean;
}

/** Keys of agents and devices: as a token of InfluxDB, the password of Basic authentication, or in the address. */
export class ProtocolKeyFinder implements CredentialFinder {
  constructor(private readonly tokens: BearerTokens) {}

  isIn(request: Request): boolean {
    return readKey(request) !== undefined;
  }

  /** Never cached. */
  lookUp(): undefined {
    return undefined;
  }

  async find(request: Request): Promise<Identity> {
    const { secret, isExposed } = readKey(request) ?? { secret: '', isExposed: false };
    const identity = await this.tokens.find(secret);
    if (!identity) throw new InvalidToken();
    if (isExposed && !mayBeExposed(identity)) {
      throw new Forbidden('a key in an address may have the scopes data:write and sensors:create alone');
    }
    return identity;
  }

  findAgain(request: Request): Promise<Identity> {
    return this.find(request);
  }

  async findPayer(request: Request): Promise<number | undefined> {
    const key = readKey(request);
    return key && (await this.tokens.find(key.secret))?.userId;
  }
}

function mayBeExposed({ credential }: Identity): boolean {
  return credential.kind === 'key' && credential.scopes.every((scope) => SCOPES_IN_ADDRESS.has(scope));
}

function readKey(request: Request): GivenKey | undefined {
  const { path, protocol } = roadOf(request);
  const keys = protocol?.keys;
  if (!keys) return undefined;
  const inHeader = readHeader(request.headers.authorization);
  if (inHeader !== undefined) return { secret: inHeader, isExposed: false };
  const { inPath, inQuery = '', isExposed = false } = keys;
  const secret = inPath?.exec(path)?.[1] ?? request.query[inQuery];
  return typeof secret === 'string' && secret !== '' ? { secret, isExposed } : undefined;
}

/** The token, or the password of Basic authentication (RFC 7617). */
function readHeader(authorization = ''): string | undefined {
  const token = TOKEN.exec(authorization)?.[1];
  if (token !== undefined) return token.slice(token.indexOf(':') + 1); // `user:password` of InfluxDB 1
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return undefined;
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}
