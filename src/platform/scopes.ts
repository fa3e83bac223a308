/** The rights of a key or a token on the data of its user. A session has all rights. */
export const SCOPES = ['read', 'data:write', 'sensors:create', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that `write` includes. */
export const OF_WRITE: ReadonlySet<Scope> = new Set(['data:write', 'sensors:create']);

/** How many sensors a credential may make for series, unless its key carries another limit. */
export const CREATE_LIMIT = 1_000;

/** True if these scopes include the required one, by themselves or in `write`. */
export function hold(scopes: readonly Scope[], required: Scope): boolean {
  return scopes.includes(required) || (OF_WRITE.has(required) && scopes.includes('write'));
}

/** The scopes in a text, separated by spaces (RFC 6749, 3.3); other words are ignored. */
export function readScopes(text: string): Scope[] {
  const words = new Set(text.split(' '));
  return SCOPES.filter((scope) => words.has(scope));
}

/** Scopes as such a text: each once, in a fixed order. */
export function writeScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}
