import type { Request } from 'express';
import type { GivenClient, OAuth2Parameters } from '../../people';
import { OAuth2Refused } from '../../platform/errors';

const OF_AUTHORIZATION = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;
const OF_TOKENS = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
] as const;
type TokenParameter = (typeof OF_TOKENS)[number];

export interface TokenRequest {
  client: GivenClient;
  parameters: Readonly<Partial<Record<TokenParameter, string>>>;
}

/** RFC 6749 section 4.1.1 and RFC 7636. */
export function readAuthorizationParameters(request: Request): OAuth2Parameters {
  return Object.fromEntries(OF_AUTHORIZATION.map((name) => [name, readOne(request.query[name])]));
}

/** A request of an application with id and secret. Forms only, because addresses end up in logs. */
export function readTokenRequest(request: Request): TokenRequest {
  const inQuery = OF_TOKENS.find((name) => request.query[name] !== undefined);
  if (inQuery !== undefined)
    throw new OAuth2Refused('invalid_request', `${inQuery} belongs in the body of the request`);
  const parameters: Partial<Record<TokenParameter, string>> = {};
  for (const name of OF_TOKENS) {
    const value = readOne(Object(request.body)[name]);
    if (value === null) throw new OAuth2Refused('invalid_request', `${name} was sent several times`);
    parameters[name] = value;
  }
  return { client: readClient(request, parameters), parameters };
}

/** Throws an error that names a missing parameter. */
export function required(request: TokenRequest, name: TokenParameter): string {
  const value = request.parameters[name];
  if (value === undefined) throw new OAuth2Refused('invalid_request', `${name} is required`);
  return value;
}

/** RFC 6749 section 2.3.1: in the header, otherwise in the body. */
function readClient(request: Request, { client_id, client_secret }: TokenRequest['parameters']): GivenClient {
  const inHeader = readBasic(request.get('authorization'));
  if (inHeader) {
    const isOther = client_id !== undefined && client_id !== inHeader.id;
    if (client_secret === undefined && !isOther) return inHeader;
    throw new OAuth2Refused('invalid_request', 'the client names itself twice: in the header and in the body');
  }
  if (client_id === undefined) throw new OAuth2Refused('invalid_client', 'the client id is missing');
  return { id: client_id, secret: client_secret };
}

/** Both parts are form-encoded before they are joined. */
function readBasic(authorization: string | undefined): GivenClient | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const cut = text.indexOf(':');
  if (cut < 0) throw new OAuth2Refused('invalid_client', 'the header Authorization is broken');
  return { id: decode(text.slice(0, cut)), secret: decode(text.slice(cut + 1)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** An empty parameter counts as missing (section 3.1). Null for a repeated one, or no text. */
function readOne(value: unknown): string | null | undefined {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' ? value : null;
}
