import type { Scope } from './scopes';

/** The origin of a request. */
export interface Visitor {
  /** The client's address; behind trusted proxies the original one. */
  address: string;
  /** The key of limits, instead of the address: for an IPv6 address its 64-bit network. */
  network: string;
  /** True if the client used https. */
  secure: boolean;
}

/** A login. It may do everything that its user may. */
export interface SessionCredential {
  kind: 'session';
  /** The id of its row, not the secret that the client holds. */
  id: number;
  sensors?: undefined;
  expiresMs?: undefined;
}

/**
 * The credential that a user gave to a device or an application instead of their password. It never reaches the
 * account.
 */
export interface TokenCredential {
  kind: 'key' | 'oauth1' | 'oauth2';
  /** The id of its row, not the secret that the client holds. */
  id: number;
  scopes: readonly Scope[];
  /** The only sensors that it reaches; undefined if unlimited. */
  sensors?: ReadonlySet<number>;
  /** When a key expires; undefined if it does not. */
  expiresMs?: number;
  /** How many sensors a key may make for series. */
  createLimit?: number;
  /** The application that it was given to; it has other credentials before and after this one. */
  applicationId?: number;
}

export type Credential = SessionCredential | TokenCredential;

/** A user, and the credential that identifies them. */
export interface Identity {
  userId: number;
  username: string;
  credential: Credential;
  /**
   * True if the identity comes from a cache: code that acts on it checks in its own transaction that the credential is
   * still valid. Only uploads get such an identity.
   */
  isCached?: true;
}

/** The user behind a request, and its credential. */
export interface Caller extends Visitor, Identity {}

/** The caller of an operation that requires a session. */
export interface SessionCaller extends Caller {
  credential: SessionCredential;
}
