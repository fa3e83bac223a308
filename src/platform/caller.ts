import type { Scope } from './scopes';

export interface Visitor {
  /** Behind trusted proxies the original address. */
  address: string;
  /** What limits count: the address, or the 64-bit network of an IPv6 address. */
  network: string;
  /** True if the client used https. */
  secure: boolean;
}

/** A login, which may do everything that its user may. */
export interface SessionCredential {
  kind: 'session';
  /** Id of the row, not the client's secret. */
  id: number;
  sensors?: undefined;
  expiresMs?: undefined;
  /** The account must have a second factor and has none: it may only set one up. */
  lacksFactor?: true;
}

export interface TokenCredential {
  kind: 'key' | 'oauth1' | 'oauth2';
  id: number;
  scopes: readonly Scope[];
  /** The only sensors that it reaches; undefined for all. */
  sensors?: ReadonlySet<number>;
  /** Undefined if it never expires. */
  expiresMs?: number;
  /** Maximum number of sensors that a key makes for series. */
  createLimit?: number;
  /** The application may have other credentials before and after this one. */
  applicationId?: number;
}

export type Credential = SessionCredential | TokenCredential;

export interface Identity {
  userId: number;
  username: string;
  credential: Credential;
  /** The identity is from a cache: act on it only in a transaction that checks the credential again. Uploads only. */
  isCached?: true;
}

export interface Caller extends Visitor, Identity {}

export interface SessionCaller extends Caller {
  credential: SessionCredential;
}
