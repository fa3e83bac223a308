import type { OAuth2ErrorName } from '../../../platform/errors';
import { SCOPES, type Scope } from '../../../platform/scopes';
import { isChallenge } from './pkce';

/** The name is for the program, the sentence for its developer. */
export interface OAuth2Problem {
  error: OAuth2ErrorName;
  description: string;
}

/** Null for a repeated parameter. */
export type OAuth2Parameters = Readonly<Record<string, string | null | undefined>>;

/** Checked. */
export interface Asked {
  scopes: Scope[];
  /** Null without PKCE. */
  challenge: string | null;
}

const DEFAULT_SCOPES: readonly Scope[] = ['read'];

/** All but identity and callback. `needsPkce`: the application cannot keep a secret. */
export function checkAsked(parameters: OAuth2Parameters, needsPkce: boolean): Asked | OAuth2Problem {
  const twice = Object.entries(parameters).find(([, value]) => value === null);
  if (twice) return refused('invalid_request', `${twice[0]} was sent several times`);
  const { response_type, scope, code_challenge: challenge, code_challenge_method: method } = parameters;
  if (!response_type) return refused('invalid_request', 'response_type is required: code');
  if (response_type !== 'code') return refused('unsupported_response_type', 'response_type must be code');
  const pkce = checkPkce(challenge ?? undefined, method ?? undefined, needsPkce);
  if (pkce) return pkce;
  const scopes = readScopes(scope ?? undefined);
  return Array.isArray(scopes) ? { scopes, challenge: challenge ?? null } : scopes;
}

/** Separated by spaces, each once; `read` when missing or empty. */
export function readScopes(scope: string | undefined): Scope[] | OAuth2Problem {
  const names = [...new Set((scope ?? '').split(' ').filter(Boolean))];
  if (names.length === 0) return [...DEFAULT_SCOPES];
  const unknown = names.find((name) => !SCOPES.some((one) => one === name));
  if (unknown !== undefined) return refused('invalid_scope', `the scopes are ${SCOPES.join(', ')}`);
  return SCOPES.filter((one) => names.includes(one));
}

function checkPkce(
  challenge: string | undefined,
  method: string | undefined,
  isNeeded: boolean,
): OAuth2Problem | undefined {
  if (challenge === undefined) {
    if (method !== undefined) return refused('invalid_request', 'code_challenge is missing');
    return isNeeded
      ? refused('invalid_request', 'this application must send a code_challenge (PKCE, S256)')
      : undefined;
  }
  // Without a method RFC 7636 means `plain`, which is no protection from an observer of the request.
  if (method !== 'S256') return refused('invalid_request', 'code_challenge_method must be S256');
  return isChallenge(challenge)
    ? undefined
    : refused('invalid_request', 'code_challenge must be the SHA-256 of the verifier in 43 characters of base64url');
}

function refused(error: OAuth2ErrorName, description: string): OAuth2Problem {
  return { error, description };
}
