/** The rights of a key or a token on the data of its user. A session has all rights. */
export const SCOPES = ['read', 'data:write', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** True if these scopes include the required one: `write` includes `data:write`; only `read` includes `read`. */
export function hold(scopes: readonly Scope[], required: Scope): boolean {
  return scopes.includes(required) || (required === 'data:write' && scopes.includes('write'));
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
