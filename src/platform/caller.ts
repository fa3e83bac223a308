import type { Scope } from '../rules/scopes';

/** Where a request comes from. */
export interface Visitor {
  /** The client's address, behind trusted proxies the original one. */
  address: string;
  /** What limits count instead of the address: of an IPv6 address its network of 64 bits. */
  network: string;
  /** Whether the client used https. */
  secure: boolean;
}

/** A login: it may do everything that its user may. */
export interface SessionCredential {
  kind: 'session';
  /** Its row, not the secret that the client holds. */
  id: number;
  sensors?: undefined;
  expiresMs?: undefined;
}

/** What a user gave to a device or an application instead of their password. It never reaches the account. */
export interface TokenCredential {
  kind: 'key' | 'oauth1' | 'oauth2';
  /** Its row, not the secret that the client holds. */
  id: number;
  scopes: readonly Scope[];
  /** The only sensors that it reaches; undefined where it is not limited. */
  sensors?: ReadonlySet<number>;
  /** When a key ends; undefined where it does not. */
  expiresMs?: number;
}

export type Credential = SessionCredential | TokenCredential;

/** A user, and by what they are known. */
export interface Identity {
  userId: number;
  username: string;
  credential: Credential;
  /**
   * Whether it was looked up for an earlier request: what acts on it checks in its own transaction that the credential still counts.
   * Only uploads get such an identity.
   */
  isRemembered?: true;
}

/** The user behind a request, and what its credential may do. */
export interface Caller extends Visitor, Identity {}

/** The caller of an operation that requires a session. */
export interface SessionCaller extends Caller {
  credential: SessionCredential;
}
