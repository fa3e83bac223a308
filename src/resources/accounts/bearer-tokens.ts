import type { Identity } from '../../platform/caller';

/** A kind of token that clients send as `Authorization: Bearer <token>`. */
export interface BearerKind {
  /** Whether a token looks like one of this kind; no token looks like one of two kinds. */
  recognises(token: string): boolean;
  /** Whom it speaks for; null when it is unknown or has ended. Looked up each time, so that what ended is gone at once. */
  find(token: string): Promise<Identity | null>;
  /** The same, if it was found a moment ago, where the kind remembers that. */
  lookUp?(token: string): Identity | undefined;
}

/** Finds users by bearer tokens of all kinds. */
export class BearerTokens {
  constructor(private readonly kinds: readonly BearerKind[]) {}

  /** Whom the token speaks for; null when it is unknown or has ended. */
  async find(token: string): Promise<Identity | null> {
    return this.kindOf(token)?.find(token) ?? null;
  }

  /** Whom the token spoke for a moment ago, if that is remembered. */
  lookUp(token: string): Identity | undefined {
    return this.kindOf(token)?.lookUp?.(token);
  }

  private kindOf(token: string): BearerKind | undefined {
    return this.kinds.find((kind) => kind.recognises(token));
  }
}
