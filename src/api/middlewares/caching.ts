/**
 * Default `Cache-Control` of responses: most need a credential or hold a secret, and a proxy does not know that
 * `X-SESSION_ID` is a credential. Public documents set later how long they may be cached.
 */
export const NO_STORE = 'no-store';
