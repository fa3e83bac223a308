import type { Requirement } from '../../access/credential.policy';
import { SCOPES, type Scope } from '../../platform/scopes';
import type { OpenApiDocument, SecurityRequirement } from './document';
import { operationsOf } from './document';

const WAYS_WITH_SCOPES = ['key', 'keyParameter', 'oauth1', 'oauth2'];

/**
 * `@NoSecurity()`, `@Security('session')`, or `@Security('credential', [scope])`. Throws for any other: the platform
 * does not start with an operation whose security was forgotten.
 */
export function readRequirement(security: readonly SecurityRequirement[], operation: string): Requirement | 'nothing' {
  const [only, ...others] = security;
  if (!only) return 'nothing';
  const [[way = '', scopes = []] = [], ...more] = Object.entries(only);
  if (others.length === 0 && more.length === 0) {
    if (way === 'session' && scopes.length === 0) return 'session';
    const [scope = ''] = scopes;
    if (way === 'credential' && scopes.length === 1 && isScope(scope)) return scope;
  }
  throw new Error(`${operation} does not declare what it requires: ${JSON.stringify(security)}`);
}

export function describeSecurity(document: OpenApiDocument): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const requirement = readRequirement(operation.security, `${method} ${path}`);
    operation.security = alternatives(requirement);
  }
}

function alternatives(requirement: Requirement | 'nothing'): SecurityRequirement[] {
  if (requirement === 'nothing') return [];
  const session = { session: [] };
  if (requirement === 'session') return [session];
  return [session, ...WAYS_WITH_SCOPES.map((way) => ({ [way]: [requirement] }))];
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
