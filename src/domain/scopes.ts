/** What a key or a token may do with what its user has; a session may do everything. */
export const SCOPES = ['read', 'data:write', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether these scopes allow what requires that one: `write` holds `data:write`, and nothing holds `read` but itself. */
export function hold(scopes: readonly Scope[], required: Scope): boolean {
  return scopes.includes(required) || (required === 'data:write' && scopes.includes('write'));
}
