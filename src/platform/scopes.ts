export const SCOPES = ['read', 'data:write', 'sensors:create', 'rules:propose', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that `write` includes. */
export const OF_WRITE: ReadonlySet<Scope> = new Set(['data:write', 'sensors:create', 'rules:propose']);

/** Sensors that a credential makes for series, unless its key has another limit. */
export const CREATE_LIMIT = 1_000;

/** True if the scopes hold the required one, by themselves or in `write`. */
export function hold(scopes: readonly Scope[], required: Scope): boolean {
  return scopes.includes(required) || (OF_WRITE.has(required) && scopes.includes('write'));
}

/** Separated by spaces (RFC 6749, 3.3); ignores other words. */
export function readScopes(text: string): Scope[] {
  const words = new Set(text.split(' '));
  return SCOPES.filter((scope) => words.has(scope));
}

export function writeScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}
