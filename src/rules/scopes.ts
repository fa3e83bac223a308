/** What a key or a token may do with what its user has; a session may do everything. */
export const SCOPES = ['read', 'data:write', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether these scopes allow what requires that one: `write` holds `data:write`, and nothing holds `read` but itself. */
export function hold(scopes: readonly Scope[], required: Scope): boolean {
  return scopes.includes(required) || (required === 'data:write' && scopes.includes('write'));
}

/** The scopes of a text in which they are separated by spaces (RFC 6749, 3.3); other words are left out. */
export function readScopes(text: string): Scope[] {
  const words = new Set(text.split(' '));
  return SCOPES.filter((scope) => words.has(scope));
}

/** Scopes as such a text: each once, always in the same order. */
export function writeScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}
