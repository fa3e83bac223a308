/** Where a request comes from. */
export interface Visitor {
  /** The client's address, behind trusted proxies the original one. */
  address: string;
  /** What limits count instead of the address: of an IPv6 address its network of 64 bits. */
  network: string;
  /** Whether the client used https. */
  secure: boolean;
}

/** The user behind a request with a valid session. */
export interface Caller extends Visitor {
  userId: number;
  username: string;
  /** The row of the session, not the secret id that the client holds. */
  sessionId: number;
}
