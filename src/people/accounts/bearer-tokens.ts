import type { Identity } from '../../platform/caller';

/** A kind of token that clients send as `Authorization: Bearer <token>`. */
export interface BearerKind {
  /** True if a token has the form of this kind. The forms of two kinds never overlap. */
  recognises(token: string): boolean;
  /**
   * The identity of a token; null if it is unknown or has ended. Looked up each time, so that an ended token is refused
   * at once.
   */
  find(token: string): Promise<Identity | null>;
  /** The identity of a token, if the kind caches it. It may be stale. */
  lookUp?(token: string): Identity | undefined;
}

/** Finds users by bearer tokens of all kinds. */
export class BearerTokens {
  constructor(private readonly kinds: readonly BearerKind[]) {}

  /** The identity of the token; null if it is unknown or has ended. */
  async find(token: string): Promise<Identity | null> {
    return this.kindOf(token)?.find(token) ?? null;
  }

  /** The cached identity of the token; undefined on a miss. */
  lookUp(token: string): Identity | undefined {
    return this.kindOf(token)?.lookUp?.(token);
  }

  private kindOf(token: string): BearerKind | undefined {
    return this.kinds.find((kind) => kind.recognises(token));
  }
}
